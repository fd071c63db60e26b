// SPDX-License-Identifier: Apache-2.0

//! Version v1alpha1 of the batch.example.com API group.

mod app_service;
// +kb:scaffold:kinds

pub use app_service::*;
// +kb:scaffold:exports
