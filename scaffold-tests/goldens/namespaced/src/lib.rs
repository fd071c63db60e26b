//! The manager of namespaced: its controllers, and the server for probes and metrics.

pub mod controller;
pub mod server;
