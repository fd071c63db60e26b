// SPDX-License-Identifier: Apache-2.0

//! Reconciles HTTPRoute2XX objects.

use std::sync::Arc;

use kb::Manager;
use kb::controller::{Action, Controller, Error};
use kb::objects::{Objects, Readiness};
use tracing::debug;

use odd_names_api::v1::HTTPRoute2XX;

/// Controller name in logs, metrics and events.
const NAME: &str = "httproute2xx";

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
    let http_route2_xxes = manager.store::<HTTPRoute2XX>();
    let controller = Controller::new(NAME, &http_route2_xxes).report_errors(manager.objects());
    manager.add_controller(controller, reconcile, context);
}

/// Moves the cluster toward the desired state of the object.
///
/// Must be idempotent: it runs after any change to the object. Errors are reported in the status and
/// as events, and retried with exponential backoff unless terminal.
#[kb::rbac("odd.k8s.io/httproute2xxes": list, watch)]
#[kb::rbac("odd.k8s.io/httproute2xxes/status": patch)]
#[kb::rbac("events.k8s.io/events": create, patch, reason = "to report errors")]
pub async fn reconcile(
    http_route2_xx: Arc<HTTPRoute2XX>,
    context: Arc<Context>,
) -> Result<Action, Error> {
    debug!("reconciling");

    // Add your reconcile logic here.

    let generation = http_route2_xx.metadata.generation;
    let mut status = http_route2_xx.status.clone().unwrap_or_default();
    status.observed_generation = generation;
    Readiness::default().set_on(&mut status.conditions, generation);
    context
        .objects
        .patch_status(&*http_route2_xx, &status)
        .await?;
    Ok(Action::await_change())
}
