// SPDX-License-Identifier: Apache-2.0

//! Controllers of the API group batch.example.com.

pub mod app_service;
pub mod batch_;
// +kb:scaffold:modules
