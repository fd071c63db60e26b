// SPDX-License-Identifier: Apache-2.0

//! The manager of odd-names: its controllers.

pub mod controller;
