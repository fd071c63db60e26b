// SPDX-License-Identifier: Apache-2.0

//! The manager of external: its controllers.

pub mod controller;
