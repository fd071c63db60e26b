// SPDX-License-Identifier: Apache-2.0

//! Version v1alpha1 of the batch.example.com API group.

mod app_service;
mod platform;
// +kb:scaffold:kinds

pub use app_service::*;
pub use platform::*;
// +kb:scaffold:exports
