// SPDX-License-Identifier: MIT

//! Reconciles Backup objects.

use std::{sync::Arc, time::Duration};

use kb::Manager;
use kb::controller::{Action, Controller, Error};
use kube::Client;
use tracing::debug;

use two_apis_api::v1;

/// Controller name in logs, metrics and events.
const NAME: &str = "restore-check";

/// Shared state of the reconciler.
pub struct Context {
    /// Kubernetes API client.
    pub client: Client,
}

/// Registers the controller with the manager.
pub fn register(manager: &Manager) {
    let backups = manager.store::<v1::Backup>();
    let controller = Controller::new(NAME, &backups);
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
    groups = "fleet.example.com",
    resources = "backups",
    verbs = "list;watch",
    reason = "to reconcile Backups"
)]
pub async fn reconcile(_object: Arc<v1::Backup>, _context: Arc<Context>) -> Result<Action, Error> {
    debug!("reconciling");

    // Add your reconcile logic here.

    Ok(Action::requeue(Duration::from_secs(300)))
}
