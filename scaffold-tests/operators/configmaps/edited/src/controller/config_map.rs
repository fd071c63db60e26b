// SPDX-License-Identifier: Apache-2.0

//! Reconciles ConfigMap objects.

use std::sync::Arc;

use k8s_openapi::api::core::v1;
use kb::Manager;
use kb::controller::{Action, Controller, Error};
use kube::ResourceExt;
use tracing::debug;

use crate::{change_log, lookup::Lookup};

/// What logs, metrics and events call this controller.
const NAME: &str = "configmap";

/// What reconciling takes.
pub struct Context {
    /// Every ConfigMap that the operator sees, as of the last change.
    pub lookup: Lookup,
}

/// Starts to log the changes of ConfigMaps, and to reconcile every ConfigMap when it changes. One watch feeds both.
pub fn start(manager: &Manager) {
    let config_maps = manager.store::<v1::ConfigMap>();
    // What is gone never comes to reconcile: who wants to hear of it listens to the cache.
    tokio::spawn(change_log::run(config_maps.subscribe()));
    let controller = Controller::new(NAME, &config_maps);
    let context = Context {
        lookup: Lookup::new(&config_maps),
    };
    manager.add_controller(controller, reconcile, context);
}

/// Says how many others there are beside `object`. All answers come from the cache: the API server is not asked.
#[kb::rbac(
    groups = "",
    resources = "configmaps",
    verbs = "list;watch",
    reason = "ConfigMap is reconciled"
)]
pub async fn reconcile(object: Arc<v1::ConfigMap>, context: Arc<Context>) -> Result<Action, Error> {
    let namespace = object.namespace().unwrap_or_default();
    let in_namespace = context.lookup.in_namespace(&namespace).len();
    debug!(in_namespace, "reconciled");
    for key in object.labels().keys() {
        let labelled = context.lookup.with_label(key).len();
        debug!(key, labelled, "has a label");
    }
    // It has nothing to do before the next change.
    Ok(Action::await_change())
}
