//! Who leads, as a number.

use prometheus_client::{
    encoding::EncodeLabelSet,
    metrics::{family::Family, gauge::Gauge},
    registry::Registry,
};

/// Whether this process leads. Clones are the same number.
#[derive(Debug, Clone)]
pub struct LeaderMetrics {
    leads: Gauge,
}

impl LeaderMetrics {
    /// It leads from now on, or no longer.
    pub fn set(&self, leads: bool) {
        self.leads.set(i64::from(leads));
    }
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct Lease {
    name: String,
}

/// The states of all leases that this process contends for.
#[derive(Debug, Clone, Default)]
pub(super) struct LeaderStates {
    leads: Family<Lease, Gauge>,
}

impl LeaderStates {
    pub(super) fn lease(&self, name: &str) -> LeaderMetrics {
        LeaderMetrics {
            leads: self.leads.get_or_create_owned(&Lease {
                name: name.to_owned(),
            }),
        }
    }

    pub(super) fn register(&self, registry: &mut Registry) {
        let help = "1 if this process holds the lease, 0 if it stands by";
        registry.register("leader_election_master_status", help, self.leads.clone());
    }
}
