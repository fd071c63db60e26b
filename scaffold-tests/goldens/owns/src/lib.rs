// SPDX-License-Identifier: Apache-2.0

//! The manager of owns: its controllers.

pub mod controller;
