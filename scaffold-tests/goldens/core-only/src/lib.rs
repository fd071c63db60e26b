// SPDX-License-Identifier: Apache-2.0

//! The manager of core-only: its controllers.

pub mod controller;
