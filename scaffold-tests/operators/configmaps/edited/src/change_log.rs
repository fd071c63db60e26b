// SPDX-License-Identifier: Apache-2.0

//! Logs what happens to ConfigMaps.

use futures::{Stream, StreamExt};
use k8s_openapi::api::core::v1::ConfigMap;
use kb::store::Change;
use kube::ResourceExt;
use tracing::info;

/// Logs every change, until the cache that they come from is gone.
///
/// What the API server did while nobody could watch comes here as well: after an outage the cache compares what it held with what there is.
pub async fn run(mut changes: impl Stream<Item = Change<ConfigMap>> + Unpin) {
    while let Some(change) = changes.next().await {
        match change {
            Change::Applied { new, old: None } => info!(config_map = %title(&new), "added"),
            Change::Applied { new, .. } => info!(config_map = %title(&new), "changed"),
            Change::Deleted(gone) => info!(config_map = %title(&gone), "deleted"),
        }
    }
}

fn title(config_map: &ConfigMap) -> String {
    let namespace = config_map.namespace().unwrap_or_default();
    format!("{namespace}/{}", config_map.name_any())
}
