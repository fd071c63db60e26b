//! Metrics of stores.

use prometheus_client::{
    encoding::EncodeLabelSet,
    metrics::{counter::Counter, family::Family},
    registry::Registry,
};

/// Metrics of a [`Store`](crate::store::Store); see [`Metrics::store`](super::Metrics::store). Clones share them.
///
/// The default belongs to no registry, so it is never exported.
#[derive(Debug, Clone, Default)]
pub struct StoreMetrics {
    index_panics: Counter,
}

impl StoreMetrics {
    /// Counts a panic of an index function.
    pub(crate) fn index_panicked(&self) {
        self.index_panics.inc();
    }
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct Labels {
    kind: String,
}

/// Metric families of all stores.
#[derive(Debug, Clone, Default)]
pub(super) struct StoreFamilies {
    index_panics: Family<Labels, Counter>,
}

impl StoreFamilies {
    pub(super) fn kind(&self, kind: &str) -> StoreMetrics {
        let labels = Labels {
            kind: kind.to_owned(),
        };
        StoreMetrics {
            index_panics: self.index_panics.get_or_create_owned(&labels),
        }
    }

    pub(super) fn register(&self, registry: &mut Registry) {
        let help =
            "Total number of index function panics per kind; the object is missing from the index";
        registry.register("kb_store_index_panics", help, self.index_panics.clone());
    }
}
