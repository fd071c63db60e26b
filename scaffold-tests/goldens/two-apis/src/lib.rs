// SPDX-License-Identifier: MIT

//! The manager of two-apis: its controllers.

pub mod controller;
