// SPDX-License-Identifier: Apache-2.0

//! Reconciles Foo objects.

use std::sync::Arc;

use kb::Manager;
use kb::controller::{Action, Controller, Error};
use kb::objects::{Objects, Owner, Readiness};
use kb::store::Store;
use tracing::debug;

use odd_names_api::v1::Foo;
use odd_names_api::v1::Task;

/// Controller name in logs, metrics and events.
const NAME: &str = "foo";

/// Shared state of the reconciler.
pub struct Context {
    /// Applies owned objects and patches the status.
    pub objects: Objects,
    /// Cached Tasks.
    pub tasks: Store<Task>,
}

/// Registers the controller with the manager.
pub fn register(manager: &Manager) {
    let context = Context {
        objects: manager.objects(),
        tasks: manager.store(),
    };
    let foos = manager.store::<Foo>();
    let controller = Controller::new(NAME, &foos)
        .owns(&context.tasks)
        .report_errors(manager.objects());
    manager.add_controller(controller, reconcile, context);
}

/// Moves the cluster toward the desired state of the object.
///
/// Must be idempotent: it runs after any change to the object or its owned objects. Errors are
/// reported in the status and as events, and retried with exponential backoff unless terminal.
#[kb::rbac("odd.k8s.io/foos": list, watch)]
#[kb::rbac("odd.k8s.io/foos/status": patch)]
#[kb::rbac("events.k8s.io/events": create, patch, reason = "to report errors")]
#[kb::rbac("odd.k8s.io/foos/finalizers": update, reason = "to set blockOwnerDeletion")]
#[kb::rbac("odd.k8s.io/tasks": get, list, watch, create, patch)]
pub async fn reconcile(object: Arc<Foo>, context: Arc<Context>) -> Result<Action, Error> {
    debug!("reconciling");

    // Owned objects are garbage-collected; nothing to clean up.
    if object.metadata.deletion_timestamp.is_some() {
        return Ok(Action::await_change());
    }

    let owner = Owner::of(&*object)?;
    let mut readiness = Readiness::default();

    let desired = desired_task(&object)?;
    let applied = context
        .objects
        .apply(&owner, desired, &context.tasks)
        .await?;
    readiness.observe(applied.object());

    let generation = object.metadata.generation;
    let mut status = object.status.clone().unwrap_or_default();
    status.observed_generation = generation;
    readiness.set_on(&mut status.conditions, generation);
    context.objects.patch_status(&*object, &status).await?;
    Ok(Action::await_change())
}

/// Returns the desired Task.
fn desired_task(_object: &Foo) -> Result<Task, Error> {
    Err(Error::not_implemented("Task"))
}
