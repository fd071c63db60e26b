// SPDX-License-Identifier: Apache-2.0

//! Controllers of multi-group.

pub mod controller;
