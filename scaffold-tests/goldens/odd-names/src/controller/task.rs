// SPDX-License-Identifier: Apache-2.0

//! Reconciles Task objects.

use std::{sync::Arc, time::Duration};

use kb::Manager;
use kb::controller::{Action, Controller, Error};
use kb::objects::{EventRecorder, EventType, Objects, conditions};
use tracing::debug;

use odd_names_api::v1;

/// What logs, metrics and events call this controller.
const NAME: &str = "task";

/// What reconciling takes.
pub struct Context {
    /// Applies objects and writes the status, with the operator's own permissions.
    pub objects: Objects,
    /// Tells people what was done: `kubectl describe` shows it.
    pub events: EventRecorder,
}

/// Starts to reconcile every Task when it changes.
pub fn start(manager: &Manager) {
    let reconciled = manager.store::<v1::Task>();
    let controller = Controller::new(NAME, &reconciled);
    let context = Context {
        objects: manager.objects(),
        events: manager.event_recorder(NAME),
    };
    manager.add_controller(controller, reconcile, context);
}

/// Brings the cluster to what `object` asks for.
///
/// It is called after every change, and again for what is done already: change only what differs. Objects that are being
/// deleted come here, too: they have a `metadata.deletion_timestamp`. After an error it is called again, later and later.
#[kb::rbac(
    groups = "odd.k8s.io",
    resources = "tasks",
    verbs = "list;watch",
    reason = "Task is reconciled"
)]
#[kb::rbac(
    groups = "odd.k8s.io",
    resources = "tasks/status",
    verbs = "patch",
    reason = "the status of Task is written"
)]
#[kb::rbac(
    groups = "events.k8s.io",
    resources = "events",
    verbs = "create;patch",
    reason = "events tell what was done for Task"
)]
pub async fn reconcile(object: Arc<v1::Task>, context: Arc<Context>) -> Result<Action, Error> {
    debug!("reconciling");

    // Your logic goes here.

    let generation = object.metadata.generation;
    let mut status = object.status.clone().unwrap_or_default();
    status.observed_generation = generation;
    let ready = conditions::ready(true, "Reconciled", "it is as asked for", generation);
    conditions::set(&mut status.conditions, ready);
    let written = context.objects.patch_status(&*object, &status).await?;
    if written.is_some() {
        let note = "brought to what it asks for";
        context
            .events
            .publish(&*object, EventType::Normal, "Reconciled", "Reconcile", note);
    }
    Ok(Action::requeue(Duration::from_secs(300)))
}
