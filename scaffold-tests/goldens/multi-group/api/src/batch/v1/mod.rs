// SPDX-License-Identifier: Apache-2.0

//! Version v1 of the batch.example.com API group.

mod app_service;
mod batch;
// +kb:scaffold:kinds

pub use app_service::*;
pub use batch::*;
// +kb:scaffold:exports
