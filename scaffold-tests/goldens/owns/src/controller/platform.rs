// SPDX-License-Identifier: Apache-2.0

//! Reconciles Platform objects.

use std::{sync::Arc, time::Duration};

use k8s_openapi::api::core::v1::Event;
use k8s_openapi::api::events::v1::Event as EventsV1Event;
use k8s_openapi::api::rbac::v1::ClusterRole;
use kb::Manager;
use kb::controller::{Action, Controller, Error};
use kb::objects::{EventRecorder, EventType, Objects, Owner, conditions};
use kb::store::Store;
use tracing::debug;

use owns_api::v1alpha1;
use owns_api::v1alpha1::AppService;

/// Controller name in logs, metrics and events.
const NAME: &str = "platform";

/// Shared state of the reconciler.
pub struct Context {
    /// Applies owned objects and patches the status.
    pub objects: Objects,
    /// Publishes Kubernetes events.
    pub recorder: EventRecorder,
    /// Cached AppServices.
    pub app_services: Store<AppService>,
    /// Cached ClusterRoles.
    pub cluster_roles: Store<ClusterRole>,
    /// Cached Events.
    pub events: Store<Event>,
    /// Cached Events of events.k8s.io.
    pub events_v1_event_store: Store<EventsV1Event>,
}

/// Registers the controller with the manager.
pub fn register(manager: &Manager) {
    let platforms = manager.store::<v1alpha1::Platform>();
    let app_services = manager.store::<AppService>();
    let cluster_roles = manager.store::<ClusterRole>();
    let events = manager.store::<Event>();
    let events_v1_event_store = manager.store::<EventsV1Event>();
    let controller = Controller::new(NAME, &platforms)
        .owns(&app_services)
        .owns(&cluster_roles)
        .owns(&events)
        .owns(&events_v1_event_store);
    let context = Context {
        objects: manager.objects(),
        recorder: manager.event_recorder(NAME),
        app_services,
        cluster_roles,
        events,
        events_v1_event_store,
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
    resources = "platforms",
    verbs = "list;watch",
    reason = "to reconcile Platforms"
)]
#[kb::rbac(
    groups = "batch.example.com",
    resources = "platforms/status",
    verbs = "patch",
    reason = "to update the status of Platforms"
)]
#[kb::rbac(
    groups = "events.k8s.io",
    resources = "events",
    verbs = "create;patch",
    reason = "to publish events about Platforms"
)]
#[kb::rbac(
    groups = "batch.example.com",
    resources = "platforms/finalizers",
    verbs = "update",
    reason = "to set blockOwnerDeletion on owned objects"
)]
#[kb::rbac(
    groups = "batch.example.com",
    resources = "appservices",
    verbs = "get;list;watch;create;patch",
    reason = "to apply AppServices owned by Platforms"
)]
#[kb::rbac(
    groups = "rbac.authorization.k8s.io",
    resources = "clusterroles",
    verbs = "get;list;watch;create;patch",
    reason = "to apply ClusterRoles owned by Platforms"
)]
#[kb::rbac(
    groups = "",
    resources = "events",
    verbs = "get;list;watch;create;patch",
    reason = "to apply Events owned by Platforms"
)]
#[kb::rbac(
    groups = "events.k8s.io",
    resources = "events",
    verbs = "get;list;watch;create;patch",
    reason = "to apply Events owned by Platforms"
)]
pub async fn reconcile(
    object: Arc<v1alpha1::Platform>,
    context: Arc<Context>,
) -> Result<Action, Error> {
    debug!("reconciling");

    // Owned objects are garbage-collected; nothing to clean up.
    if object.metadata.deletion_timestamp.is_some() {
        return Ok(Action::await_change());
    }
    let owner = Owner::of(&*object)?;
    if let Some(desired) = desired_app_service(&object) {
        context
            .objects
            .apply(&owner, desired, &context.app_services)
            .await?;
    }
    if let Some(desired) = desired_cluster_role(&object) {
        context
            .objects
            .apply(&owner, desired, &context.cluster_roles)
            .await?;
    }
    if let Some(desired) = desired_event(&object) {
        context
            .objects
            .apply(&owner, desired, &context.events)
            .await?;
    }
    if let Some(desired) = desired_events_v1_event(&object) {
        context
            .objects
            .apply(&owner, desired, &context.events_v1_event_store)
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

/// Returns the desired AppService, or `None` if there should be none.
///
/// `None` does not delete an existing object. To delete it, call `Objects::prune` and add the
/// `delete` verb to the RBAC rule.
fn desired_app_service(_object: &v1alpha1::Platform) -> Option<AppService> {
    None
}

/// Returns the desired ClusterRole, or `None` if there should be none.
///
/// `None` does not delete an existing object. To delete it, call `Objects::prune` and add the
/// `delete` verb to the RBAC rule.
fn desired_cluster_role(_object: &v1alpha1::Platform) -> Option<ClusterRole> {
    None
}

/// Returns the desired Event, or `None` if there should be none.
///
/// `None` does not delete an existing object. To delete it, call `Objects::prune` and add the
/// `delete` verb to the RBAC rule.
fn desired_event(_object: &v1alpha1::Platform) -> Option<Event> {
    None
}

/// Returns the desired Event, or `None` if there should be none.
///
/// `None` does not delete an existing object. To delete it, call `Objects::prune` and add the
/// `delete` verb to the RBAC rule.
fn desired_events_v1_event(_object: &v1alpha1::Platform) -> Option<EventsV1Event> {
    None
}
