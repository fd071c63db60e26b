// SPDX-License-Identifier: Apache-2.0

//! The odd-names controllers.

pub mod controller;
