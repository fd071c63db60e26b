// SPDX-License-Identifier: Apache-2.0

//! Controllers.

pub mod order;
pub mod widget;
// +kb:scaffold:modules
