//! Leader election metric.

use prometheus_client::{
    encoding::EncodeLabelSet,
    metrics::{family::Family, gauge::Gauge},
    registry::Registry,
};

/// Reports whether this process is the leader; see [`Metrics::leader`](super::Metrics::leader). Clones share the gauge.
#[derive(Debug, Clone)]
pub struct LeaderMetrics {
    status: Gauge,
}

impl LeaderMetrics {
    /// Sets whether this process is the leader.
    pub fn set(&self, is_leader: bool) {
        self.status.set(i64::from(is_leader));
    }
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct Labels {
    name: String,
}

/// Metric family of all leases.
#[derive(Debug, Clone, Default)]
pub(super) struct LeaderFamily {
    status: Family<Labels, Gauge>,
}

impl LeaderFamily {
    pub(super) fn lease(&self, name: &str) -> LeaderMetrics {
        LeaderMetrics {
            status: self.status.get_or_create_owned(&Labels {
                name: name.to_owned(),
            }),
        }
    }

    pub(super) fn register(&self, registry: &mut Registry) {
        let help = "Gauge of if the reporting system is master of the relevant lease, 0 indicates backup, 1 indicates master";
        registry.register("leader_election_master_status", help, self.status.clone());
    }
}
