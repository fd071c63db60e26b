// SPDX-License-Identifier: MIT

//! Controllers of the manager.

pub mod cluster;
pub mod nightly;
pub mod restore_check;
// +kb:scaffold:modules
