//! The servers, asked over loopback by a real client.

mod access;
mod api_server;
mod certificates;
mod client;
mod connections;
mod crowd;
mod metrics;
mod probes;
