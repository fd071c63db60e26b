// SPDX-License-Identifier: Apache-2.0

//! The manager of minimal: its controllers, and the server for probes and metrics.

pub mod controller;
pub mod server;
