//! What is counted, under controller-runtime's names, so that dashboards and alerts made for Kubebuilder's operators fit.
//!
//! [`Metrics`] holds the registry and hands out what counts: [`ControllerMetrics`], [`StoreMetrics`], [`LeaderMetrics`] and [`ClientLayer`]. What it hands
//! out has its labels resolved, so that counting is a few atomic operations. Numbers of the process are read when they are asked for.
//! Nothing here serves: that is [`serve_metrics`](crate::server::serve_metrics).

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

pub use client::{ClientLayer, CountedClient};
pub use controller::{ControllerMetrics, InFlight, Outcome};
pub use leader::LeaderMetrics;
/// What the metrics of one's own are made of: the version that [`Metrics::register`] takes.
pub use prometheus_client;
pub use registry::Metrics;
pub use store::StoreMetrics;
pub(crate) use writes::WriteMetrics;
