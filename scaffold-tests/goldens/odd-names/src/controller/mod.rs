// SPDX-License-Identifier: Apache-2.0

//! The controllers, and what they share.

use kube::Client;
use tokio_util::sync::CancellationToken;

use crate::server::Metrics;

pub mod a_kind_whose_name_is_so_long_that_lines_have_to_be_broken;
pub mod condition;
pub mod controller_;
pub mod http_route2_xx;
pub mod metric;
pub mod move_;
pub mod task;
pub mod type_;
// +kb:scaffold:modules

/// What every controller gets.
#[derive(Clone)]
pub struct Context {
    /// The Kubernetes API, with the operator's own permissions.
    pub client: Client,
    /// Counters, served under /metrics.
    pub metrics: Metrics,
    /// Cancelled when the operator is asked to stop.
    pub shutdown: CancellationToken,
}

/// Why an object could not be reconciled. It is tried again later.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The Kubernetes API refused a request, or could not be reached.
    #[error(transparent)]
    Kube(#[from] kube::Error),
}
