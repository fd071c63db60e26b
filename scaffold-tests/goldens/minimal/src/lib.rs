// SPDX-License-Identifier: Apache-2.0

//! The minimal controllers.

pub mod controller;
