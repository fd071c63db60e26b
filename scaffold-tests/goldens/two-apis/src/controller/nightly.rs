// SPDX-License-Identifier: MIT

//! Reconciles Backup objects.

use std::{sync::Arc, time::Duration};

use kb::Manager;
use kb::controller::{Action, Controller, Error};
use kb::objects::{EventRecorder, EventType, Objects, conditions};
use tracing::debug;

use two_apis_api::v1;

/// Controller name in logs, metrics and events.
const NAME: &str = "nightly";

/// Shared state of the reconciler.
pub struct Context {
    /// Patches the status.
    pub objects: Objects,
    /// Publishes Kubernetes events.
    pub recorder: EventRecorder,
}

/// Registers the controller with the manager.
pub fn register(manager: &Manager) {
    let backups = manager.store::<v1::Backup>();
    let controller = Controller::new(NAME, &backups);
    let context = Context {
        objects: manager.objects(),
        recorder: manager.event_recorder(NAME),
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
#[kb::rbac(
    groups = "fleet.example.com",
    resources = "backups/status",
    verbs = "patch",
    reason = "to update the status of Backups"
)]
#[kb::rbac(
    groups = "events.k8s.io",
    resources = "events",
    verbs = "create;patch",
    reason = "to publish events about Backups"
)]
pub async fn reconcile(object: Arc<v1::Backup>, context: Arc<Context>) -> Result<Action, Error> {
    debug!("reconciling");

    // Add your reconcile logic here.

    let generation = object.metadata.generation;
    let mut status = object.status.clone().unwrap_or_default();
    status.observed_generation = generation;
    let message = "reconciled successfully";
    let ready = conditions::ready(true, "Reconciled", message, generation);
    conditions::set(&mut status.conditions, ready);
    let patched = context.objects.patch_status(&*object, &status).await?;
    if patched.is_some() {
        let note = "Reconciled successfully";
        context
            .recorder
            .publish(&*object, EventType::Normal, "Reconciled", "Reconcile", note);
    }
    Ok(Action::requeue(Duration::from_secs(300)))
}
