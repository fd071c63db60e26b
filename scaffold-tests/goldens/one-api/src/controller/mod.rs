// Copyright ACME
// SPDX-License-Identifier: Apache-2.0

//! The controllers.

pub mod app_service;
// +kb:scaffold:modules
