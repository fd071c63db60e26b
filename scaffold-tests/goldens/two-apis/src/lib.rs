// SPDX-License-Identifier: MIT

//! The manager of two-apis: its controllers, and the server for probes and metrics.

pub mod controller;
pub mod server;
