// SPDX-License-Identifier: Apache-2.0

//! The manager of multi-group: its controllers.

pub mod controller;
