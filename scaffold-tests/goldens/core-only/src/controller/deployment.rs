// SPDX-License-Identifier: Apache-2.0

//! Reconciles Deployment objects.

use std::{sync::Arc, time::Duration};

use k8s_openapi::api::apps::v1;
use kb::Manager;
use kb::controller::{Action, Controller, Error};
use kube::Client;
use tracing::debug;

/// Controller name in logs, metrics and events.
const NAME: &str = "deployment";

/// Shared state of the reconciler.
pub struct Context {
    /// Kubernetes API client.
    pub client: Client,
}

/// Registers the controller with the manager.
pub fn register(manager: &Manager) {
    let deployments = manager.store::<v1::Deployment>();
    let controller = Controller::new(NAME, &deployments);
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
    groups = "apps",
    resources = "deployments",
    verbs = "list;watch",
    reason = "to reconcile Deployments"
)]
pub async fn reconcile(
    _object: Arc<v1::Deployment>,
    _context: Arc<Context>,
) -> Result<Action, Error> {
    debug!("reconciling");

    // Add your reconcile logic here.

    Ok(Action::requeue(Duration::from_secs(300)))
}
