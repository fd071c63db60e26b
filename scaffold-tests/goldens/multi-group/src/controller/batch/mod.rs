// SPDX-License-Identifier: Apache-2.0

//! The controllers of the batch.example.com API group.

pub mod app_service;
pub mod batch_;
// +kb:scaffold:modules
