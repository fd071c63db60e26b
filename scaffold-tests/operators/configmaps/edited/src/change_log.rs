// SPDX-License-Identifier: Apache-2.0

//! Logs changes of ConfigMaps.

use futures::{Stream, StreamExt};
use k8s_openapi::api::core::v1::ConfigMap;
use kb::store::Change;
use kube::ResourceExt;
use tracing::info;

/// Logs every change until the cache is dropped.
///
/// This includes changes during an outage of the watch: the cache computes them when it relists.
pub async fn run(mut changes: impl Stream<Item = Change<ConfigMap>> + Unpin) {
    while let Some(change) = changes.next().await {
        match change {
            Change::Applied { new, old: None } => {
                info!(config_map = %namespaced_name(&new), "added")
            }
            Change::Applied { new, .. } => info!(config_map = %namespaced_name(&new), "changed"),
            Change::Deleted(old) => info!(config_map = %namespaced_name(&old), "deleted"),
        }
    }
}

fn namespaced_name(config_map: &ConfigMap) -> String {
    let namespace = config_map.namespace().unwrap_or_default();
    format!("{namespace}/{}", config_map.name_any())
}
