//! Servers on loopback with a real client.

mod api_server;
mod authorization;
mod certificates;
mod client;
mod connections;
mod many_clients;
mod metrics;
mod probes;
