// SPDX-License-Identifier: Apache-2.0

//! Reconciles Order objects.

use std::sync::Arc;

use kb::Manager;
use kb::controller::{Action, Controller, Error};
use kb::objects::{Objects, Owner, Readiness};
use kb::store::Store;
use tracing::debug;

use external_api::v1::Order;
use widgets_api::v1::Widget;

/// Controller name in logs, metrics and events.
const NAME: &str = "order";

/// Shared state of the reconciler.
pub struct Context {
    /// Applies owned objects and patches the status.
    pub objects: Objects,
    /// Cached Widgets.
    pub widgets: Store<Widget>,
}

/// Registers the controller with the manager.
pub fn register(manager: &Manager) {
    let context = Context {
        objects: manager.objects(),
        widgets: manager.store(),
    };
    let orders = manager.store::<Order>();
    let controller = Controller::new(NAME, &orders)
        .owns(&context.widgets)
        .report_errors(manager.objects());
    manager.add_controller(controller, reconcile, context);
}

/// Moves the cluster toward the desired state of the object.
///
/// Must be idempotent: it runs after any change to the object or its owned objects. Errors are
/// reported in the status and as events, and retried with exponential backoff unless terminal.
#[kb::rbac("batch.example.com/orders": list, watch)]
#[kb::rbac("batch.example.com/orders/status": patch)]
#[kb::rbac("events.k8s.io/events": create, patch, reason = "to report errors")]
#[kb::rbac("batch.example.com/orders/finalizers": update, reason = "to set blockOwnerDeletion")]
#[kb::rbac("factory.example.org/widgets": get, list, watch, create, patch)]
pub async fn reconcile(order: Arc<Order>, context: Arc<Context>) -> Result<Action, Error> {
    debug!("reconciling");

    // Owned objects are garbage-collected; nothing to clean up.
    if order.metadata.deletion_timestamp.is_some() {
        return Ok(Action::await_change());
    }

    let owner = Owner::of(&*order)?;
    let mut readiness = Readiness::default();

    let desired = desired_widget(&order)?;
    let applied = context
        .objects
        .apply(&owner, desired, &context.widgets)
        .await?;
    readiness.observe(applied.object());

    let generation = order.metadata.generation;
    let mut status = order.status.clone().unwrap_or_default();
    status.observed_generation = generation;
    readiness.set_on(&mut status.conditions, generation);
    context.objects.patch_status(&*order, &status).await?;
    Ok(Action::await_change())
}

/// Returns the desired Widget.
fn desired_widget(_order: &Order) -> Result<Widget, Error> {
    Err(Error::not_implemented("Widget"))
}
