//! HTTP servers for health probes and metrics.
//!
//! [`serve_probes`] serves `/healthz` and `/readyz` from the checks in [`Probes`]. [`serve_metrics`] serves `/metrics` over HTTP, or over HTTPS with
//! authentication and authorization ([`MetricsServing`]). [`Certificates`] loads a certificate from files, which may be rotated, or generates a
//! self-signed one. A [`Manager`](crate::Manager) runs both servers.

mod authorization;
mod certificates;
mod connections;
mod metrics;
mod open_connections;
mod probes;
#[cfg(test)]
mod tests;
mod ttl_cache;

pub use certificates::{CertificateError, Certificates};
pub use metrics::{MetricsServing, serve_metrics};
pub use probes::{Probes, serve_probes};
