// SPDX-License-Identifier: Apache-2.0

//! Controllers of the manager.

pub mod account;
pub mod branch;
pub mod namespace;
// +kb:scaffold:modules
