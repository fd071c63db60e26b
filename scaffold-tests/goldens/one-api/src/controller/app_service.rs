// Copyright ACME
// SPDX-License-Identifier: Apache-2.0

//! Reconciles AppService objects.

use std::sync::Arc;

use kb::Manager;
use kb::controller::{Action, Controller, Error};
use kb::objects::{Objects, Readiness};
use tracing::debug;

use one_api_api::v1alpha1::AppService;

/// Controller name in logs, metrics and events.
const NAME: &str = "appservice";

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
    let app_services = manager.store::<AppService>();
    let controller = Controller::new(NAME, &app_services).report_errors(manager.objects());
    manager.add_controller(controller, reconcile, context);
}

/// Moves the cluster toward the desired state of the object.
///
/// Must be idempotent: it runs after any change to the object. Errors are reported in the status and
/// as events, and retried with exponential backoff unless terminal.
#[kb::rbac("batch.example.com/appservices": list, watch)]
#[kb::rbac("batch.example.com/appservices/status": patch)]
#[kb::rbac("events.k8s.io/events": create, patch, reason = "to report errors")]
pub async fn reconcile(
    app_service: Arc<AppService>,
    context: Arc<Context>,
) -> Result<Action, Error> {
    debug!("reconciling");

    // Add your reconcile logic here.

    let generation = app_service.metadata.generation;
    let mut status = app_service.status.clone().unwrap_or_default();
    status.observed_generation = generation;
    Readiness::default().set_on(&mut status.conditions, generation);
    context.objects.patch_status(&*app_service, &status).await?;
    Ok(Action::await_change())
}
