// SPDX-License-Identifier: Apache-2.0

//! API version batch.example.com/v1alpha1.

mod app_service;
// +kb:scaffold:kinds

pub use app_service::*;
// +kb:scaffold:exports
