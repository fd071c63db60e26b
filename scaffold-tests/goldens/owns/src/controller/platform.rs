// SPDX-License-Identifier: Apache-2.0

//! Reconciles Platform objects.

use std::sync::Arc;

use k8s_openapi::api::core::v1::Event;
use k8s_openapi::api::events::v1::Event as EventsV1Event;
use k8s_openapi::api::rbac::v1::ClusterRole;
use kb::Manager;
use kb::controller::{Action, Controller, Error};
use kb::objects::{Objects, Owner, Readiness};
use kb::store::Store;
use tracing::debug;

use owns_api::v1alpha1::AppService;
use owns_api::v1alpha1::Platform;

/// Controller name in logs, metrics and events.
const NAME: &str = "platform";

/// Shared state of the reconciler.
pub struct Context {
    /// Applies owned objects and patches the status.
    pub objects: Objects,
    /// Cached AppServices.
    pub app_services: Store<AppService>,
    /// Cached ClusterRoles.
    pub cluster_roles: Store<ClusterRole>,
    /// Cached Events.
    pub events: Store<Event>,
    /// Cached Events of events.k8s.io.
    pub events_v1_events: Store<EventsV1Event>,
}

/// Registers the controller with the manager.
pub fn register(manager: &Manager) {
    let context = Context {
        objects: manager.objects(),
        app_services: manager.store(),
        cluster_roles: manager.store(),
        events: manager.store(),
        events_v1_events: manager.store(),
    };
    let platforms = manager.store::<Platform>();
    let controller = Controller::new(NAME, &platforms)
        .owns(&context.app_services)
        .owns(&context.cluster_roles)
        .owns(&context.events)
        .owns(&context.events_v1_events)
        .report_errors(manager.objects());
    manager.add_controller(controller, reconcile, context);
}

/// Moves the cluster toward the desired state of the object.
///
/// Must be idempotent: it runs after any change to the object or its owned objects. Errors are
/// reported in the status and as events, and retried with exponential backoff unless terminal.
#[kb::rbac("batch.example.com/platforms": list, watch)]
#[kb::rbac("batch.example.com/platforms/status": patch)]
#[kb::rbac("events.k8s.io/events": create, patch, reason = "to report errors")]
#[kb::rbac("batch.example.com/platforms/finalizers": update, reason = "to set blockOwnerDeletion")]
#[kb::rbac("batch.example.com/appservices": get, list, watch, create, patch)]
#[kb::rbac("rbac.authorization.k8s.io/clusterroles": get, list, watch, create, patch)]
#[kb::rbac("core/events": get, list, watch, create, patch)]
#[kb::rbac("events.k8s.io/events": get, list, watch, create, patch)]
pub async fn reconcile(platform: Arc<Platform>, context: Arc<Context>) -> Result<Action, Error> {
    debug!("reconciling");

    // Owned objects are garbage-collected; nothing to clean up.
    if platform.metadata.deletion_timestamp.is_some() {
        return Ok(Action::await_change());
    }

    let owner = Owner::of(&*platform)?;
    let mut readiness = Readiness::default();

    let desired = desired_app_service(&platform)?;
    let applied = context
        .objects
        .apply(&owner, desired, &context.app_services)
        .await?;
    readiness.observe(applied.object());

    let desired = desired_cluster_role(&platform)?;
    let applied = context
        .objects
        .apply(&owner, desired, &context.cluster_roles)
        .await?;
    readiness.observe(applied.object());

    let desired = desired_event(&platform)?;
    let applied = context
        .objects
        .apply(&owner, desired, &context.events)
        .await?;
    readiness.observe(applied.object());

    let desired = desired_events_v1_event(&platform)?;
    let applied = context
        .objects
        .apply(&owner, desired, &context.events_v1_events)
        .await?;
    readiness.observe(applied.object());

    let generation = platform.metadata.generation;
    let mut status = platform.status.clone().unwrap_or_default();
    status.observed_generation = generation;
    readiness.set_on(&mut status.conditions, generation);
    context.objects.patch_status(&*platform, &status).await?;
    Ok(Action::await_change())
}

/// Returns the desired AppService.
fn desired_app_service(_platform: &Platform) -> Result<AppService, Error> {
    Err(Error::not_implemented("AppService"))
}

/// Returns the desired ClusterRole.
fn desired_cluster_role(_platform: &Platform) -> Result<ClusterRole, Error> {
    Err(Error::not_implemented("ClusterRole"))
}

/// Returns the desired Event.
fn desired_event(_platform: &Platform) -> Result<Event, Error> {
    Err(Error::not_implemented("Event"))
}

/// Returns the desired Event of events.k8s.io.
fn desired_events_v1_event(_platform: &Platform) -> Result<EventsV1Event, Error> {
    Err(Error::not_implemented("Event of events.k8s.io"))
}
