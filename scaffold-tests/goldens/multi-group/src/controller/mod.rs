// SPDX-License-Identifier: Apache-2.0

//! The controllers.

pub mod batch;
pub mod core_;
pub mod network;
// +kb:scaffold:modules
