// SPDX-License-Identifier: Apache-2.0

//! Reconciles AppService objects.

use std::{sync::Arc, time::Duration};

use k8s_openapi::api::apps::v1::Deployment;
use k8s_openapi::api::core::v1::Service;
use k8s_openapi::api::networking::v1::Ingress;
use kb::Manager;
use kb::controller::{Action, Controller, Error};
use kb::objects::{EventRecorder, EventType, Objects, Owner, conditions};
use kb::store::Store;
use tracing::debug;

use owns_api::v1alpha1;

/// Controller name in logs, metrics and events.
const NAME: &str = "appservice";

/// Shared state of the reconciler.
pub struct Context {
    /// Applies owned objects and patches the status.
    pub objects: Objects,
    /// Publishes Kubernetes events.
    pub recorder: EventRecorder,
    /// Cached Deployments.
    pub deployments: Store<Deployment>,
    /// Cached Services.
    pub services: Store<Service>,
    /// Cached Ingresses.
    pub ingresses: Store<Ingress>,
}

/// Registers the controller with the manager.
pub fn register(manager: &Manager) {
    let app_services = manager.store::<v1alpha1::AppService>();
    let deployments = manager.store::<Deployment>();
    let services = manager.store::<Service>();
    let ingresses = manager.store::<Ingress>();
    let controller = Controller::new(NAME, &app_services)
        .owns(&deployments)
        .owns(&services)
        .owns(&ingresses);
    let context = Context {
        objects: manager.objects(),
        recorder: manager.event_recorder(NAME),
        deployments,
        services,
        ingresses,
    };
    manager.add_controller(controller, reconcile, context);
}

/// Moves the cluster toward the desired state of `object`.
///
/// Must be idempotent: it runs after changes to the object or its owned objects, which may be
/// coalesced, and periodically. Errors are retried with exponential backoff. Objects being deleted
/// have `metadata.deletion_timestamp` set.
#[kb::rbac(
    groups = "batch.example.com",
    resources = "appservices",
    verbs = "list;watch",
    reason = "to reconcile AppServices"
)]
#[kb::rbac(
    groups = "batch.example.com",
    resources = "appservices/status",
    verbs = "patch",
    reason = "to update the status of AppServices"
)]
#[kb::rbac(
    groups = "events.k8s.io",
    resources = "events",
    verbs = "create;patch",
    reason = "to publish events about AppServices"
)]
#[kb::rbac(
    groups = "batch.example.com",
    resources = "appservices/finalizers",
    verbs = "update",
    reason = "to set blockOwnerDeletion on owned objects"
)]
#[kb::rbac(
    groups = "apps",
    resources = "deployments",
    verbs = "get;list;watch;create;patch",
    reason = "to apply Deployments owned by AppServices"
)]
#[kb::rbac(
    groups = "",
    resources = "services",
    verbs = "get;list;watch;create;patch",
    reason = "to apply Services owned by AppServices"
)]
#[kb::rbac(
    groups = "networking.k8s.io",
    resources = "ingresses",
    verbs = "get;list;watch;create;patch",
    reason = "to apply Ingresses owned by AppServices"
)]
pub async fn reconcile(
    object: Arc<v1alpha1::AppService>,
    context: Arc<Context>,
) -> Result<Action, Error> {
    debug!("reconciling");

    // Owned objects are garbage-collected; nothing to clean up.
    if object.metadata.deletion_timestamp.is_some() {
        return Ok(Action::await_change());
    }
    let owner = Owner::of(&*object)?;
    if let Some(desired) = desired_deployment(&object) {
        context
            .objects
            .apply(&owner, desired, &context.deployments)
            .await?;
    }
    if let Some(desired) = desired_service(&object) {
        context
            .objects
            .apply(&owner, desired, &context.services)
            .await?;
    }
    if let Some(desired) = desired_ingress(&object) {
        context
            .objects
            .apply(&owner, desired, &context.ingresses)
            .await?;
    }

    let generation = object.metadata.generation;
    let mut status = object.status.clone().unwrap_or_default();
    status.observed_generation = generation;
    // To report actual readiness, inspect the status of the live objects that `apply` returns.
    let message = "all owned objects are up to date";
    let ready = conditions::ready(true, "Reconciled", message, generation);
    conditions::set(&mut status.conditions, ready);
    let patched = context.objects.patch_status(&*object, &status).await?;
    if patched.is_some() {
        let note = "Reconciled successfully";
        context
            .recorder
            .publish(&*object, EventType::Normal, "Reconciled", "Reconcile", note);
    }
    Ok(Action::requeue(Duration::from_secs(300)))
}

/// Returns the desired Deployment, or `None` if there should be none.
///
/// `None` does not delete an existing object. To delete it, call `Objects::prune` and add the
/// `delete` verb to the RBAC rule.
fn desired_deployment(_object: &v1alpha1::AppService) -> Option<Deployment> {
    None
}

/// Returns the desired Service, or `None` if there should be none.
///
/// `None` does not delete an existing object. To delete it, call `Objects::prune` and add the
/// `delete` verb to the RBAC rule.
fn desired_service(_object: &v1alpha1::AppService) -> Option<Service> {
    None
}

/// Returns the desired Ingress, or `None` if there should be none.
///
/// `None` does not delete an existing object. To delete it, call `Objects::prune` and add the
/// `delete` verb to the RBAC rule.
fn desired_ingress(_object: &v1alpha1::AppService) -> Option<Ingress> {
    None
}
