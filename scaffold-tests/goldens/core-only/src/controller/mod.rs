// SPDX-License-Identifier: Apache-2.0

//! Controllers of the manager.

pub mod config_map;
pub mod deployment;
// +kb:scaffold:modules
