// SPDX-License-Identifier: Apache-2.0

//! Finds ConfigMaps in the cache, without asking the API server.

use std::sync::Arc;

use k8s_openapi::api::core::v1::ConfigMap;
use kb::store::{Index, Store};
use kube::ResourceExt;

/// The ConfigMaps that the operator sees, by name, by namespace and by the keys of their labels.
#[derive(Clone)]
pub struct Lookup {
    config_maps: Store<ConfigMap>,
    by_namespace: Index<ConfigMap>,
    by_label_key: Index<ConfigMap>,
}

impl Lookup {
    /// Look-ups in this cache. All that are made of one cache share its indexes.
    pub fn new(config_maps: &Store<ConfigMap>) -> Self {
        Self {
            config_maps: config_maps.clone(),
            by_namespace: config_maps
                .index("namespace", |found| found.namespace().into_iter().collect()),
            by_label_key: config_maps.index("label key", |found| {
                found.labels().keys().cloned().collect()
            }),
        }
    }

    /// The ConfigMap of this name.
    pub fn get(&self, namespace: &str, name: &str) -> Option<Arc<ConfigMap>> {
        self.config_maps.get(Some(namespace), name)
    }

    /// All ConfigMaps in a namespace, in no particular order.
    pub fn in_namespace(&self, namespace: &str) -> Vec<Arc<ConfigMap>> {
        self.by_namespace.get(namespace)
    }

    /// All ConfigMaps that have a label with this key, whatever its value, in no particular order.
    pub fn with_label(&self, key: &str) -> Vec<Arc<ConfigMap>> {
        self.by_label_key.get(key)
    }
}
