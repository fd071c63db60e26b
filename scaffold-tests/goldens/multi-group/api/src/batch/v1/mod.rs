// SPDX-License-Identifier: Apache-2.0

//! API version batch.example.com/v1.

mod app_service;
mod batch;
// +kb:scaffold:kinds

pub use app_service::*;
pub use batch::*;
// +kb:scaffold:exports
