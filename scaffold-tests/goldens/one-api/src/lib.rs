// Copyright ACME
// SPDX-License-Identifier: Apache-2.0

//! The manager of one-api: its controllers, and the server for probes and metrics.

pub mod controller;
pub mod server;
