//! What the cache of one kind counts.

use prometheus_client::{
    encoding::EncodeLabelSet,
    metrics::{counter::Counter, family::Family},
    registry::Registry,
};

/// The counters of a [`Store`](crate::store::Store). Clones count together.
///
/// The default is in no registry: it counts, and nobody sees it.
#[derive(Debug, Clone, Default)]
pub struct StoreMetrics {
    index_panics: Counter,
}

impl StoreMetrics {
    /// An index function panicked.
    pub(crate) fn index_panicked(&self) {
        self.index_panics.inc();
    }
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct Labels {
    kind: String,
}

/// The same metrics of all stores.
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
        let help = "Panics of index functions; the object is missing in the index";
        registry.register("kb_store_index_panics", help, self.index_panics.clone());
    }
}
