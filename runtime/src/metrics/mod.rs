//! Prometheus metrics with controller-runtime's names, so that dashboards and alerts for Kubebuilder operators apply.
//!
//! [`Metrics`] owns the registry and creates [`ControllerMetrics`], [`StoreMetrics`], [`LeaderMetrics`] and the [`MetricsLayer`] of a client.
//! Process metrics are read on each scrape. [`serve_metrics`](crate::server::serve_metrics) serves them.

mod client;
mod controller;
mod families;
mod in_progress;
mod leader;
mod process;
mod registry;
mod store;
#[cfg(test)]
mod tests;
mod writes;

pub use client::{MetricsLayer, MetricsService};
pub use controller::ControllerMetrics;
pub(crate) use controller::ReconcileResult;
pub use leader::LeaderMetrics;
/// Re-exported for custom metrics: the version that [`Metrics::register`] takes.
pub use prometheus_client;
pub use registry::Metrics;
pub use store::StoreMetrics;
pub(crate) use writes::WriteMetrics;
