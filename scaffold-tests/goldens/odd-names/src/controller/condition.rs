// SPDX-License-Identifier: Apache-2.0

//! Reconciles Condition objects.

use std::sync::Arc;

use kb::Manager;
use kb::controller::{Action, Controller, Error};
use kb::objects::{Objects, Owner, Readiness};
use kb::store::Store;
use tracing::debug;

use odd_names_api::v1::Condition;
use odd_names_api::v1::Controller as OddNamesApiV1Controller;

/// Controller name in logs, metrics and events.
const NAME: &str = "condition";

/// Shared state of the reconciler.
pub struct Context {
    /// Applies owned objects and patches the status.
    pub objects: Objects,
    /// Cached Controllers of odd.k8s.io.
    pub controllers: Store<OddNamesApiV1Controller>,
}

/// Registers the controller with the manager.
pub fn register(manager: &Manager) {
    let context = Context {
        objects: manager.objects(),
        controllers: manager.store(),
    };
    let conditions = manager.store::<Condition>();
    let controller = Controller::new(NAME, &conditions)
        .owns(&context.controllers)
        .report_errors(manager.objects());
    manager.add_controller(controller, reconcile, context);
}

/// Moves the cluster toward the desired state of the object.
///
/// Must be idempotent: it runs after any change to the object or its owned objects. Errors are
/// reported in the status and as events, and retried with exponential backoff unless terminal.
#[kb::rbac("odd.k8s.io/conditions": list, watch)]
#[kb::rbac("odd.k8s.io/conditions/status": patch)]
#[kb::rbac("events.k8s.io/events": create, patch, reason = "to report errors")]
#[kb::rbac("odd.k8s.io/conditions/finalizers": update, reason = "to set blockOwnerDeletion")]
#[kb::rbac("odd.k8s.io/controllers": get, list, watch, create, patch)]
pub async fn reconcile(condition: Arc<Condition>, context: Arc<Context>) -> Result<Action, Error> {
    debug!("reconciling");

    // Owned objects are garbage-collected; nothing to clean up.
    if condition.metadata.deletion_timestamp.is_some() {
        return Ok(Action::await_change());
    }

    let owner = Owner::of(&*condition)?;
    let mut readiness = Readiness::default();

    let desired = desired_odd_names_api_v1_controller(&condition)?;
    let applied = context
        .objects
        .apply(&owner, desired, &context.controllers)
        .await?;
    readiness.observe(applied.object());

    let generation = condition.metadata.generation;
    let mut status = condition.status.clone().unwrap_or_default();
    status.observed_generation = generation;
    readiness.set_on(&mut status.conditions, generation);
    context.objects.patch_status(&*condition, &status).await?;
    Ok(Action::await_change())
}

/// Returns the desired Controller of odd.k8s.io.
fn desired_odd_names_api_v1_controller(
    _condition: &Condition,
) -> Result<OddNamesApiV1Controller, Error> {
    Err(Error::not_implemented("Controller of odd.k8s.io"))
}
