// SPDX-License-Identifier: Apache-2.0

//! Reconciles Batch objects.

use std::sync::Arc;

use kb::Manager;
use kb::controller::{Action, Controller, Error};
use kb::objects::{Objects, Readiness};
use tracing::debug;

use multi_group_api::batch::v1::Batch;

/// Controller name in logs, metrics and events.
const NAME: &str = "batch-batch";

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
    let batches = manager.store::<Batch>();
    let controller = Controller::new(NAME, &batches).report_errors(manager.objects());
    manager.add_controller(controller, reconcile, context);
}

/// Moves the cluster toward the desired state of the object.
///
/// Must be idempotent: it runs after any change to the object. Errors are reported in the status and
/// as events, and retried with exponential backoff unless terminal.
#[kb::rbac("batch.example.com/batches": list, watch)]
#[kb::rbac("batch.example.com/batches/status": patch)]
#[kb::rbac("events.k8s.io/events": create, patch, reason = "to report errors")]
pub async fn reconcile(batch: Arc<Batch>, context: Arc<Context>) -> Result<Action, Error> {
    debug!("reconciling");

    // Add your reconcile logic here.

    let generation = batch.metadata.generation;
    let mut status = batch.status.clone().unwrap_or_default();
    status.observed_generation = generation;
    Readiness::default().set_on(&mut status.conditions, generation);
    context.objects.patch_status(&*batch, &status).await?;
    Ok(Action::await_change())
}
