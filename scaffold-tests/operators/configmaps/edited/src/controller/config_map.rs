// SPDX-License-Identifier: Apache-2.0

//! Reconciles ConfigMap objects.

use std::sync::Arc;

use k8s_openapi::api::core::v1;
use kb::Manager;
use kb::controller::{Action, Controller, Error};
use kube::ResourceExt;
use tracing::debug;

use crate::{change_log, lookup::Lookup};

/// Controller name in logs, metrics and events.
const NAME: &str = "configmap";

/// Shared state of the reconciler.
pub struct Context {
    /// Cached ConfigMaps.
    pub lookup: Lookup,
}

/// Registers the controller with the manager and starts to log changes. Both share one watch.
pub fn register(manager: &Manager) {
    let config_maps = manager.store::<v1::ConfigMap>();
    // Deleted objects are not reconciled, so subscribe to the cache.
    tokio::spawn(change_log::run(config_maps.subscribe()));
    let controller = Controller::new(NAME, &config_maps);
    let context = Context {
        lookup: Lookup::new(&config_maps),
    };
    manager.add_controller(controller, reconcile, context);
}

/// Logs how many ConfigMaps share the namespace and the label keys of `object`. All lookups read the cache.
#[kb::rbac("core/configmaps": list, watch, reason = "to reconcile ConfigMaps")]
pub async fn reconcile(object: Arc<v1::ConfigMap>, context: Arc<Context>) -> Result<Action, Error> {
    let namespace = object.namespace().unwrap_or_default();
    let in_namespace = context.lookup.in_namespace(&namespace).len();
    debug!(in_namespace, "counted namespace");
    for key in object.labels().keys() {
        let matching = context.lookup.with_label(key).len();
        debug!(key, matching, "counted label key");
    }
    Ok(Action::await_change())
}
