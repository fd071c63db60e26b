// SPDX-License-Identifier: Apache-2.0

//! Reconciles ConfigMap objects.

use std::{sync::Arc, time::Duration};

use k8s_openapi::api::core::v1;
use kb::Manager;
use kb::controller::{Action, Controller, Error};
use kube::Client;
use tracing::debug;

/// Controller name in logs, metrics and events.
const NAME: &str = "configmap";

/// Shared state of the reconciler.
pub struct Context {
    /// Kubernetes API client.
    pub client: Client,
}

/// Registers the controller with the manager.
pub fn register(manager: &Manager) {
    let config_maps = manager.store::<v1::ConfigMap>();
    let controller = Controller::new(NAME, &config_maps);
    let context = Context {
        client: manager.client(),
    };
    manager.add_controller(controller, reconcile, context);
}

/// Moves the cluster toward the desired state of `object`.
///
/// Must be idempotent: it runs after changes to the object, which may be coalesced, and periodically.
/// Errors are retried with exponential backoff. Objects being deleted have
/// `metadata.deletion_timestamp` set.
#[kb::rbac(
    groups = "",
    resources = "configmaps",
    verbs = "list;watch",
    reason = "to reconcile ConfigMaps"
)]
pub async fn reconcile(
    _object: Arc<v1::ConfigMap>,
    _context: Arc<Context>,
) -> Result<Action, Error> {
    debug!("reconciling");

    // Add your reconcile logic here.

    Ok(Action::requeue(Duration::from_secs(300)))
}
