// SPDX-License-Identifier: Apache-2.0

//! The controllers.

pub mod order;
pub mod widget;
// +kb:scaffold:modules
