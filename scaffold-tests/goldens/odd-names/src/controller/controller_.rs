// SPDX-License-Identifier: Apache-2.0

//! Reconciles Controller objects.

use std::{sync::Arc, time::Duration};

use kb::Manager;
use kb::controller::{Action, Controller, Error};
use kb::objects::{EventRecorder, EventType, Objects, conditions};
use tracing::debug;

use odd_names_api::v1;

/// Controller name in logs, metrics and events.
const NAME: &str = "controller";

/// Shared state of the reconciler.
pub struct Context {
    /// Patches the status.
    pub objects: Objects,
    /// Publishes Kubernetes events.
    pub recorder: EventRecorder,
}

/// Registers the controller with the manager.
pub fn register(manager: &Manager) {
    let controllers = manager.store::<v1::Controller>();
    let controller = Controller::new(NAME, &controllers);
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
    groups = "odd.k8s.io",
    resources = "controllers",
    verbs = "list;watch",
    reason = "to reconcile Controllers"
)]
#[kb::rbac(
    groups = "odd.k8s.io",
    resources = "controllers/status",
    verbs = "patch",
    reason = "to update the status of Controllers"
)]
#[kb::rbac(
    groups = "events.k8s.io",
    resources = "events",
    verbs = "create;patch",
    reason = "to publish events about Controllers"
)]
pub async fn reconcile(
    object: Arc<v1::Controller>,
    context: Arc<Context>,
) -> Result<Action, Error> {
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
