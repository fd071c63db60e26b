//! Serves probes and metrics over HTTP.
//!
//! [`serve_probes`] answers `/healthz` and `/readyz` from the checks in [`Probes`]. [`serve_metrics`] answers `/metrics`, in the clear or
//! behind TLS, `TokenReview` and `SubjectAccessReview`, as [`MetricsServing`] says. [`Certificates`] is what a TLS server shows: from files, which
//! may be renewed while it runs, or self-signed. Both serve until their token is cancelled, and finish the answers under way.

mod access;
mod certificates;
mod connections;
mod metrics;
mod open;
mod probes;
mod remembered;
#[cfg(test)]
mod tests;

pub use certificates::{CertificateError, Certificates};
pub use metrics::{MetricsServing, serve_metrics};
pub use probes::{Probes, serve_probes};
