// SPDX-License-Identifier: MIT

//! The controllers.

pub mod cluster;
pub mod nightly;
pub mod restore_check;
// +kb:scaffold:modules
