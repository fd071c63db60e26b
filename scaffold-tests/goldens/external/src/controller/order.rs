// SPDX-License-Identifier: Apache-2.0

//! Reconciles Order objects.

use std::{sync::Arc, time::Duration};

use kb::Manager;
use kb::controller::{Action, Controller, Error};
use kb::objects::{EventRecorder, EventType, Objects, Owner, conditions};
use kb::store::Store;
use tracing::debug;

use external_api::v1;
use widgets_api::v1::Widget;

/// Controller name in logs, metrics and events.
const NAME: &str = "order";

/// Shared state of the reconciler.
pub struct Context {
    /// Applies owned objects and patches the status.
    pub objects: Objects,
    /// Publishes Kubernetes events.
    pub recorder: EventRecorder,
    /// Cached Widgets.
    pub widgets: Store<Widget>,
}

/// Registers the controller with the manager.
pub fn register(manager: &Manager) {
    let orders = manager.store::<v1::Order>();
    let widgets = manager.store::<Widget>();
    let controller = Controller::new(NAME, &orders).owns(&widgets);
    let context = Context {
        objects: manager.objects(),
        recorder: manager.event_recorder(NAME),
        widgets,
    };
    manager.add_controller(controller, reconcile, context);
}

/// Moves the cluster toward the desired state of `object`.
///
/// Must be idempotent: it runs after changes to the object or its owned objects, which may be
/// coalesced, and periodically. Errors are retried with exponential backoff. Objects being deleted
/// have `metadata.deletion_timestamp` set.
#[kb::rbac(
    groups = "batch.example.com",
    resources = "orders",
    verbs = "list;watch",
    reason = "to reconcile Orders"
)]
#[kb::rbac(
    groups = "batch.example.com",
    resources = "orders/status",
    verbs = "patch",
    reason = "to update the status of Orders"
)]
#[kb::rbac(
    groups = "events.k8s.io",
    resources = "events",
    verbs = "create;patch",
    reason = "to publish events about Orders"
)]
#[kb::rbac(
    groups = "batch.example.com",
    resources = "orders/finalizers",
    verbs = "update",
    reason = "to set blockOwnerDeletion on owned objects"
)]
#[kb::rbac(
    groups = "factory.example.org",
    resources = "widgets",
    verbs = "get;list;watch;create;patch",
    reason = "to apply Widgets owned by Orders"
)]
pub async fn reconcile(object: Arc<v1::Order>, context: Arc<Context>) -> Result<Action, Error> {
    debug!("reconciling");

    // Owned objects are garbage-collected; nothing to clean up.
    if object.metadata.deletion_timestamp.is_some() {
        return Ok(Action::await_change());
    }
    let owner = Owner::of(&*object)?;
    if let Some(desired) = desired_widget(&object) {
        context
            .objects
            .apply(&owner, desired, &context.widgets)
            .await?;
    }

    let generation = object.metadata.generation;
    let mut status = object.status.clone().unwrap_or_default();
    status.observed_generation = generation;
    // To report actual readiness, inspect the status of the live objects that `apply` returns.
    let message = "all owned objects are up to date";
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

/// Returns the desired Widget, or `None` if there should be none.
///
/// `None` does not delete an existing object. To delete it, call `Objects::prune` and add the
/// `delete` verb to the RBAC rule.
fn desired_widget(_object: &v1::Order) -> Option<Widget> {
    None
}
