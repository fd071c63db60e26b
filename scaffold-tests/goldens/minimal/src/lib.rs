// SPDX-License-Identifier: Apache-2.0

//! The manager of minimal: its controllers.

pub mod controller;
