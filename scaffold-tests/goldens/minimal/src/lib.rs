// SPDX-License-Identifier: Apache-2.0

//! Controllers of minimal.

pub mod controller;
