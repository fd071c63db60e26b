// SPDX-License-Identifier: Apache-2.0

//! Reconciles ConfigMap objects.

use std::sync::Arc;

use k8s_openapi::api::core::v1::ConfigMap;
use kb::Manager;
use kb::controller::{Action, Controller, Error};
use kube::Client;
use tracing::debug;

/// Controller name in logs and metrics.
const NAME: &str = "configmap";

/// Shared state of the reconciler.
pub struct Context {
    /// Kubernetes API client.
    pub client: Client,
}

/// Registers the controller with the manager.
pub fn register(manager: &Manager) {
    let context = Context {
        client: manager.client(),
    };
    let config_maps = manager.store::<ConfigMap>();
    let controller = Controller::new(NAME, &config_maps);
    manager.add_controller(controller, reconcile, context);
}

/// Moves the cluster toward the desired state of the object.
///
/// Must be idempotent: it runs after any change to the object. Errors are retried with exponential
/// backoff unless terminal.
#[kb::rbac("core/configmaps": list, watch)]
pub async fn reconcile(
    _config_map: Arc<ConfigMap>,
    _context: Arc<Context>,
) -> Result<Action, Error> {
    debug!("reconciling");

    // Add your reconcile logic here.

    Ok(Action::await_change())
}
