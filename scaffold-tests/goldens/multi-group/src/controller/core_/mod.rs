// SPDX-License-Identifier: Apache-2.0

//! The controllers of the core API group.

pub mod config_map;
// +kb:scaffold:modules
