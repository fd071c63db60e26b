// SPDX-License-Identifier: Apache-2.0

//! Controllers of the manager.

pub mod order;
pub mod widget;
// +kb:scaffold:modules
