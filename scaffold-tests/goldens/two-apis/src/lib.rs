// SPDX-License-Identifier: MIT

//! The two-apis controllers.

pub mod controller;
