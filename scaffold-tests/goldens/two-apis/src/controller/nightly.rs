// SPDX-License-Identifier: MIT

//! Reconciles Backup objects.

use std::sync::Arc;

use kb::Manager;
use kb::controller::{Action, Controller, Error};
use kb::objects::{Objects, Readiness};
use tracing::debug;

use two_apis_api::v1::Backup;

/// Controller name in logs, metrics and events.
const NAME: &str = "nightly";

/// Shared state of the reconciler.
pub struct Context {
    /// Patches the status.
    pub objects: Objects,
}

/// Registers the controller with the manager.
pub fn register(manager: &Manager) {
    let context = Context {
        objects: manager.objects(),
    };
    let backups = manager.store::<Backup>();
    let controller = Controller::new(NAME, &backups).report_errors(manager.objects());
    manager.add_controller(controller, reconcile, context);
}

/// Moves the cluster toward the desired state of the object.
///
/// Must be idempotent: it runs after any change to the object. Errors are reported in the status and
/// as events, and retried with exponential backoff unless terminal.
#[kb::rbac("fleet.example.com/backups": list, watch)]
#[kb::rbac("fleet.example.com/backups/status": patch)]
#[kb::rbac("events.k8s.io/events": create, patch, reason = "to report errors")]
pub async fn reconcile(backup: Arc<Backup>, context: Arc<Context>) -> Result<Action, Error> {
    debug!("reconciling");

    // Add your reconcile logic here.

    let generation = backup.metadata.generation;
    let mut status = backup.status.clone().unwrap_or_default();
    status.observed_generation = generation;
    Readiness::default().set_on(&mut status.conditions, generation);
    context.objects.patch_status(&*backup, &status).await?;
    Ok(Action::await_change())
}
