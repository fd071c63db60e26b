// SPDX-License-Identifier: MIT

//! Reconciles Backup objects.

use std::sync::Arc;

use kb::Manager;
use kb::controller::{Action, Controller, Error};
use kube::Client;
use tracing::debug;

use two_apis_api::v1::Backup;

/// Controller name in logs and metrics.
const NAME: &str = "restore-check";

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
    let backups = manager.store::<Backup>();
    let controller = Controller::new(NAME, &backups);
    manager.add_controller(controller, reconcile, context);
}

/// Moves the cluster toward the desired state of the object.
///
/// Must be idempotent: it runs after any change to the object. Errors are retried with exponential
/// backoff unless terminal.
#[kb::rbac("fleet.example.com/backups": list, watch)]
pub async fn reconcile(_backup: Arc<Backup>, _context: Arc<Context>) -> Result<Action, Error> {
    debug!("reconciling");

    // Add your reconcile logic here.

    Ok(Action::await_change())
}
