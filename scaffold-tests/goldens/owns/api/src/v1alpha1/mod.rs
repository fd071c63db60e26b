// SPDX-License-Identifier: Apache-2.0

//! API version batch.example.com/v1alpha1.

mod app_service;
mod platform;
// +kb:scaffold:kinds

pub use app_service::*;
pub use platform::*;
// +kb:scaffold:exports
