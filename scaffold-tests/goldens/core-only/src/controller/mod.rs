// SPDX-License-Identifier: Apache-2.0

//! The controllers.

pub mod config_map;
pub mod deployment;
// +kb:scaffold:modules
