// SPDX-License-Identifier: Apache-2.0

//! Controllers of the manager.

pub mod batch;
pub mod core_;
pub mod network;
// +kb:scaffold:modules
