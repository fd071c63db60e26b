// SPDX-License-Identifier: Apache-2.0

//! Controllers of the API group core.

pub mod config_map;
// +kb:scaffold:modules
