// SPDX-License-Identifier: Apache-2.0

//! Reconciles Move objects.

use std::sync::Arc;

use kb::Manager;
use kb::controller::{Action, Controller, Error};
use kb::objects::{Objects, Owner, Readiness};
use kb::store::Store;
use tracing::debug;

use odd_names_api::v1::Move;
use odd_names_api::v1::Type;

/// Controller name in logs, metrics and events.
const NAME: &str = "move";

/// Shared state of the reconciler.
pub struct Context {
    /// Applies owned objects and patches the status.
    pub objects: Objects,
    /// Cached Types.
    pub types: Store<Type>,
}

/// Registers the controller with the manager.
pub fn register(manager: &Manager) {
    let context = Context {
        objects: manager.objects(),
        types: manager.store(),
    };
    let moves = manager.store::<Move>();
    let controller = Controller::new(NAME, &moves)
        .owns(&context.types)
        .report_errors(manager.objects());
    manager.add_controller(controller, reconcile, context);
}

/// Moves the cluster toward the desired state of the object.
///
/// Must be idempotent: it runs after any change to the object or its owned objects. Errors are
/// reported in the status and as events, and retried with exponential backoff unless terminal.
#[kb::rbac("odd.k8s.io/moves": list, watch)]
#[kb::rbac("odd.k8s.io/moves/status": patch)]
#[kb::rbac("events.k8s.io/events": create, patch, reason = "to report errors")]
#[kb::rbac("odd.k8s.io/moves/finalizers": update, reason = "to set blockOwnerDeletion")]
#[kb::rbac("odd.k8s.io/types": get, list, watch, create, patch)]
pub async fn reconcile(move_: Arc<Move>, context: Arc<Context>) -> Result<Action, Error> {
    debug!("reconciling");

    // Owned objects are garbage-collected; nothing to clean up.
    if move_.metadata.deletion_timestamp.is_some() {
        return Ok(Action::await_change());
    }

    let owner = Owner::of(&*move_)?;
    let mut readiness = Readiness::default();

    let desired = desired_type(&move_)?;
    let applied = context
        .objects
        .apply(&owner, desired, &context.types)
        .await?;
    readiness.observe(applied.object());

    let generation = move_.metadata.generation;
    let mut status = move_.status.clone().unwrap_or_default();
    status.observed_generation = generation;
    readiness.set_on(&mut status.conditions, generation);
    context.objects.patch_status(&*move_, &status).await?;
    Ok(Action::await_change())
}

/// Returns the desired Type.
fn desired_type(_move_: &Move) -> Result<Type, Error> {
    Err(Error::not_implemented("Type"))
}
