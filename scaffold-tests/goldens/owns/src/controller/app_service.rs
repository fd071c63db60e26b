// SPDX-License-Identifier: Apache-2.0

//! Reconciles AppService objects.

use std::sync::Arc;

use k8s_openapi::api::apps::v1::Deployment;
use k8s_openapi::api::core::v1::Service;
use k8s_openapi::api::networking::v1::Ingress;
use kb::Manager;
use kb::controller::{Action, Controller, Error};
use kb::objects::{Objects, Owner, Readiness};
use kb::store::Store;
use tracing::debug;

use owns_api::v1alpha1::AppService;

/// Controller name in logs, metrics and events.
const NAME: &str = "appservice";

/// Shared state of the reconciler.
pub struct Context {
    /// Applies owned objects and patches the status.
    pub objects: Objects,
    /// Cached Deployments.
    pub deployments: Store<Deployment>,
    /// Cached Services.
    pub services: Store<Service>,
    /// Cached Ingresses.
    pub ingresses: Store<Ingress>,
}

/// Registers the controller with the manager.
pub fn register(manager: &Manager) {
    let context = Context {
        objects: manager.objects(),
        deployments: manager.store(),
        services: manager.store(),
        ingresses: manager.store(),
    };
    let app_services = manager.store::<AppService>();
    let controller = Controller::new(NAME, &app_services)
        .owns(&context.deployments)
        .owns(&context.services)
        .owns(&context.ingresses)
        .report_errors(manager.objects());
    manager.add_controller(controller, reconcile, context);
}

/// Moves the cluster toward the desired state of the object.
///
/// Must be idempotent: it runs after any change to the object or its owned objects. Errors are
/// reported in the status and as events, and retried with exponential backoff unless terminal.
#[kb::rbac("batch.example.com/appservices": list, watch)]
#[kb::rbac("batch.example.com/appservices/status": patch)]
#[kb::rbac("events.k8s.io/events": create, patch, reason = "to report errors")]
#[kb::rbac("batch.example.com/appservices/finalizers": update, reason = "to set blockOwnerDeletion")]
#[kb::rbac("apps/deployments": get, list, watch, create, patch)]
#[kb::rbac("core/services": get, list, watch, create, patch)]
#[kb::rbac("networking.k8s.io/ingresses": get, list, watch, create, patch)]
pub async fn reconcile(
    app_service: Arc<AppService>,
    context: Arc<Context>,
) -> Result<Action, Error> {
    debug!("reconciling");

    // Owned objects are garbage-collected; nothing to clean up.
    if app_service.metadata.deletion_timestamp.is_some() {
        return Ok(Action::await_change());
    }

    let owner = Owner::of(&*app_service)?;
    let mut readiness = Readiness::default();

    let desired = desired_deployment(&app_service)?;
    let applied = context
        .objects
        .apply(&owner, desired, &context.deployments)
        .await?;
    readiness.observe(applied.object());

    let desired = desired_service(&app_service)?;
    let applied = context
        .objects
        .apply(&owner, desired, &context.services)
        .await?;
    readiness.observe(applied.object());

    let desired = desired_ingress(&app_service)?;
    let applied = context
        .objects
        .apply(&owner, desired, &context.ingresses)
        .await?;
    readiness.observe(applied.object());

    let generation = app_service.metadata.generation;
    let mut status = app_service.status.clone().unwrap_or_default();
    status.observed_generation = generation;
    readiness.set_on(&mut status.conditions, generation);
    context.objects.patch_status(&*app_service, &status).await?;
    Ok(Action::await_change())
}

/// Returns the desired Deployment.
fn desired_deployment(_app_service: &AppService) -> Result<Deployment, Error> {
    Err(Error::not_implemented("Deployment"))
}

/// Returns the desired Service.
fn desired_service(_app_service: &AppService) -> Result<Service, Error> {
    Err(Error::not_implemented("Service"))
}

/// Returns the desired Ingress.
fn desired_ingress(_app_service: &AppService) -> Result<Ingress, Error> {
    Err(Error::not_implemented("Ingress"))
}
