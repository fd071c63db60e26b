// SPDX-License-Identifier: Apache-2.0

//! Controllers of configmaps, and other readers of their cache.

pub mod change_log;
pub mod controller;
pub mod lookup;
