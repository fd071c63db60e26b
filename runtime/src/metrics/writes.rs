//! Metrics of [`Objects`](crate::objects::Objects).

use prometheus_client::{
    encoding::EncodeLabelSet,
    metrics::{counter::Counter, family::Family},
    registry::Registry,
};

/// Throttled writes. The default belongs to no registry.
#[derive(Debug, Clone, Default)]
pub(crate) struct WriteMetrics {
    pub(crate) throttled_applies: Counter,
    pub(crate) throttled_statuses: Counter,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct Labels {
    write: &'static str,
}

impl WriteMetrics {
    pub(super) fn register(registry: &mut Registry) -> Self {
        let throttled = Family::<Labels, Counter>::default();
        let help = "Total number of writes deferred because the object was written too often";
        registry.register("kb_throttled_writes", help, throttled.clone());
        let counter = |write| throttled.get_or_create_owned(&Labels { write });
        Self {
            throttled_applies: counter("apply"),
            throttled_statuses: counter("status"),
        }
    }
}
