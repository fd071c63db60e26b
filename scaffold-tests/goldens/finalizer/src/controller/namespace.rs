// SPDX-License-Identifier: Apache-2.0

//! Reconciles Namespace objects.

use std::sync::Arc;

use k8s_openapi::api::core::v1::Namespace;
use kb::Manager;
use kb::controller::{Action, Cleanup, Controller, Error};
use kube::Client;
use tracing::debug;

/// Controller name in logs and metrics.
const NAME: &str = "namespace";

/// Delays the deletion of objects until `cleanup` is done.
const FINALIZER: &str = "example.com/namespace";

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
    let namespaces = manager.store::<Namespace>();
    let controller =
        Controller::new(NAME, &namespaces).finalizer(FINALIZER, manager.objects(), cleanup);
    manager.add_controller(controller, reconcile, context);
}

/// Moves the cluster toward the desired state of the object.
///
/// Must be idempotent: it runs after any change to the object. Errors are retried with exponential
/// backoff unless terminal.
#[kb::rbac("core/namespaces": list, watch, patch)]
pub async fn reconcile(
    _namespace: Arc<Namespace>,
    _context: Arc<Context>,
) -> Result<Action, Error> {
    debug!("reconciling");

    // Add your reconcile logic here.

    Ok(Action::await_change())
}

/// Cleans up what Kubernetes does not garbage-collect, before an object is deleted.
///
/// Must be idempotent: it is retried after errors, and after a restart of the operator.
pub async fn cleanup(_namespace: Arc<Namespace>, _context: Arc<Context>) -> Result<Cleanup, Error> {
    // Add your cleanup logic here.

    Ok(Cleanup::Done)
}
