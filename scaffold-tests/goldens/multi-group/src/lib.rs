// SPDX-License-Identifier: Apache-2.0

//! The multi-group controllers.

pub mod controller;
