// SPDX-License-Identifier: Apache-2.0

//! The manager of configmaps: its controllers, and who else reads the cache that they read.

pub mod change_log;
pub mod controller;
pub mod lookup;
