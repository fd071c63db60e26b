// SPDX-License-Identifier: MIT

//! Controllers.

pub mod cluster;
pub mod nightly;
pub mod restore_check;
// +kb:scaffold:modules
