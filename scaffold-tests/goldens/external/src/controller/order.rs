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

/// What logs, metrics and events call this controller.
const NAME: &str = "order";

/// What reconciling takes.
pub struct Context {
    /// Applies objects and writes the status, with the operator's own permissions.
    pub objects: Objects,
    /// Tells people what was done: `kubectl describe` shows it.
    pub events: EventRecorder,
    /// Every Widget that the operator sees, as of the last change.
    pub widgets: Store<Widget>,
}

/// Starts to reconcile every Order when it, or something it owns, changes.
pub fn start(manager: &Manager) {
    let reconciled = manager.store::<v1::Order>();
    let widgets = manager.store::<Widget>();
    let controller = Controller::new(NAME, &reconciled).owns(&widgets);
    let context = Context {
        objects: manager.objects(),
        events: manager.event_recorder(NAME),
        widgets,
    };
    manager.add_controller(controller, reconcile, context);
}

/// Brings the cluster to what `object` asks for.
///
/// It is called after every change, and again for what is done already: change only what differs. Objects that are being
/// deleted come here, too: they have a `metadata.deletion_timestamp`. After an error it is called again, later and later.
#[kb::rbac(
    groups = "batch.example.com",
    resources = "orders",
    verbs = "list;watch",
    reason = "Order is reconciled"
)]
#[kb::rbac(
    groups = "batch.example.com",
    resources = "orders/status",
    verbs = "patch",
    reason = "the status of Order is written"
)]
#[kb::rbac(
    groups = "events.k8s.io",
    resources = "events",
    verbs = "create;patch",
    reason = "events tell what was done for Order"
)]
#[kb::rbac(
    groups = "batch.example.com",
    resources = "orders/finalizers",
    verbs = "update",
    reason = "Order is not gone before what it owns"
)]
#[kb::rbac(
    groups = "factory.example.org",
    resources = "widgets",
    verbs = "get;list;watch;create;patch",
    reason = "Order owns Widget"
)]
pub async fn reconcile(object: Arc<v1::Order>, context: Arc<Context>) -> Result<Action, Error> {
    debug!("reconciling");

    // What it owns is deleted with it: there is nothing to do.
    if object.metadata.deletion_timestamp.is_some() {
        return Ok(Action::await_change());
    }
    let owner = Owner::of(&*object)?;
    if let Some(wanted) = desired_widget(&object) {
        context
            .objects
            .apply(&owner, wanted, &context.widgets)
            .await?;
    }

    let generation = object.metadata.generation;
    let mut status = object.status.clone().unwrap_or_default();
    status.observed_generation = generation;
    // Ready means that it works: look at what the applies gave back, such as a status.
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

/// The Widget that an Order asks for. Nothing is made until you say here what it is.
///
/// None leaves one that is there: `Objects::prune` deletes what is no longer asked for, with the verb `delete`.
fn desired_widget(_object: &v1::Order) -> Option<Widget> {
    None
}
