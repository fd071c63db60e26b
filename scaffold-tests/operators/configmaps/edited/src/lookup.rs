// SPDX-License-Identifier: Apache-2.0

//! Finds ConfigMaps in the cache, without requests to the API server.

use std::sync::Arc;

use k8s_openapi::api::core::v1::ConfigMap;
use kb::store::{Index, Store};
use kube::ResourceExt;

/// Looks up cached ConfigMaps by name, namespace and label key.
#[derive(Clone)]
pub struct Lookup {
    config_maps: Store<ConfigMap>,
    by_namespace: Index<ConfigMap>,
    by_label_key: Index<ConfigMap>,
}

impl Lookup {
    /// Creates lookups in this cache. Lookups in the same cache share its indexes.
    pub fn new(config_maps: &Store<ConfigMap>) -> Self {
        Self {
            config_maps: config_maps.clone(),
            by_namespace: config_maps.index("namespace", |config_map| {
                config_map.namespace().into_iter().collect()
            }),
            by_label_key: config_maps.index("label key", |config_map| {
                config_map.labels().keys().cloned().collect()
            }),
        }
    }

    /// Returns the ConfigMap of this name.
    pub fn get(&self, namespace: &str, name: &str) -> Option<Arc<ConfigMap>> {
        self.config_maps.get(Some(namespace), name)
    }

    /// Returns all ConfigMaps in a namespace, in no particular order.
    pub fn in_namespace(&self, namespace: &str) -> Vec<Arc<ConfigMap>> {
        self.by_namespace.get(namespace)
    }

    /// Returns all ConfigMaps with this label key, in no particular order.
    pub fn with_label(&self, key: &str) -> Vec<Arc<ConfigMap>> {
        self.by_label_key.get(key)
    }
}
