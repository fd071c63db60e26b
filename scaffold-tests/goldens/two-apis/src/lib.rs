// SPDX-License-Identifier: MIT

//! Controllers of two-apis.

pub mod controller;
