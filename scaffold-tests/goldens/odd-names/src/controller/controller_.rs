// SPDX-License-Identifier: Apache-2.0

//! Reconciles Controller objects.

use std::sync::Arc;

use kb::Manager;
use kb::controller::{Action, Controller, Error};
use kb::objects::{Objects, Readiness};
use tracing::debug;

use odd_names_api::v1;

/// Controller name in logs, metrics and events.
const NAME: &str = "controller";

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
    let controllers = manager.store::<v1::Controller>();
    let controller = Controller::new(NAME, &controllers).report_errors(manager.objects());
    manager.add_controller(controller, reconcile, context);
}

/// Moves the cluster toward the desired state of the object.
///
/// Must be idempotent: it runs after any change to the object. Errors are reported in the status and
/// as events, and retried with exponential backoff unless terminal.
#[kb::rbac("odd.k8s.io/controllers": list, watch)]
#[kb::rbac("odd.k8s.io/controllers/status": patch)]
#[kb::rbac("events.k8s.io/events": create, patch, reason = "to report errors")]
pub async fn reconcile(
    controller: Arc<v1::Controller>,
    context: Arc<Context>,
) -> Result<Action, Error> {
    debug!("reconciling");

    // Add your reconcile logic here.

    let generation = controller.metadata.generation;
    let mut status = controller.status.clone().unwrap_or_default();
    status.observed_generation = generation;
    Readiness::default().set_on(&mut status.conditions, generation);
    context.objects.patch_status(&*controller, &status).await?;
    Ok(Action::await_change())
}
