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

/// What logs, metrics and events call this controller.
const NAME: &str = "platform";

/// What reconciling takes.
pub struct Context {
    /// Applies objects and writes the status, with the operator's own permissions.
    pub objects: Objects,
    /// Tells people what was done: `kubectl describe` shows it.
    pub events: EventRecorder,
    /// Every AppService that the operator sees, as of the last change.
    pub appservices: Store<AppService>,
    /// Every ClusterRole that the operator sees, as of the last change.
    pub clusterroles: Store<ClusterRole>,
    /// Every Event that the operator sees, as of the last change.
    pub event_store: Store<Event>,
    /// Every Event that the operator sees, as of the last change.
    pub events_v1_event_store: Store<EventsV1Event>,
}

/// Starts to reconcile every Platform when it, or something it owns, changes.
pub fn start(manager: &Manager) {
    let reconciled = manager.store::<v1alpha1::Platform>();
    let appservices = manager.store::<AppService>();
    let clusterroles = manager.store::<ClusterRole>();
    let event_store = manager.store::<Event>();
    let events_v1_event_store = manager.store::<EventsV1Event>();
    let controller = Controller::new(NAME, &reconciled)
        .owns(&appservices)
        .owns(&clusterroles)
        .owns(&event_store)
        .owns(&events_v1_event_store);
    let context = Context {
        objects: manager.objects(),
        events: manager.event_recorder(NAME),
        appservices,
        clusterroles,
        event_store,
        events_v1_event_store,
    };
    manager.add_controller(controller, reconcile, context);
}

/// Brings the cluster to what `object` asks for.
///
/// It is called after every change, and again for what is done already: change only what differs. Objects that are being
/// deleted come here, too: they have a `metadata.deletion_timestamp`. After an error it is called again, later and later.
#[kb::rbac(
    groups = "batch.example.com",
    resources = "platforms",
    verbs = "list;watch",
    reason = "Platform is reconciled"
)]
#[kb::rbac(
    groups = "batch.example.com",
    resources = "platforms/status",
    verbs = "patch",
    reason = "the status of Platform is written"
)]
#[kb::rbac(
    groups = "events.k8s.io",
    resources = "events",
    verbs = "create;patch",
    reason = "events tell what was done for Platform"
)]
#[kb::rbac(
    groups = "batch.example.com",
    resources = "platforms/finalizers",
    verbs = "update",
    reason = "Platform is not gone before what it owns"
)]
#[kb::rbac(
    groups = "batch.example.com",
    resources = "appservices",
    verbs = "get;list;watch;create;patch",
    reason = "Platform owns AppService"
)]
#[kb::rbac(
    groups = "rbac.authorization.k8s.io",
    resources = "clusterroles",
    verbs = "get;list;watch;create;patch",
    reason = "Platform owns ClusterRole"
)]
#[kb::rbac(
    groups = "",
    resources = "events",
    verbs = "get;list;watch;create;patch",
    reason = "Platform owns Event"
)]
#[kb::rbac(
    groups = "events.k8s.io",
    resources = "events",
    verbs = "get;list;watch;create;patch",
    reason = "Platform owns Event"
)]
pub async fn reconcile(
    object: Arc<v1alpha1::Platform>,
    context: Arc<Context>,
) -> Result<Action, Error> {
    debug!("reconciling");

    // What it owns is deleted with it: there is nothing to do.
    if object.metadata.deletion_timestamp.is_some() {
        return Ok(Action::await_change());
    }
    let owner = Owner::of(&*object)?;
    if let Some(wanted) = desired_app_service(&object) {
        context
            .objects
            .apply(&owner, wanted, &context.appservices)
            .await?;
    }
    if let Some(wanted) = desired_cluster_role(&object) {
        context
            .objects
            .apply(&owner, wanted, &context.clusterroles)
            .await?;
    }
    if let Some(wanted) = desired_event(&object) {
        context
            .objects
            .apply(&owner, wanted, &context.event_store)
            .await?;
    }
    if let Some(wanted) = desired_events_v1_event(&object) {
        context
            .objects
            .apply(&owner, wanted, &context.events_v1_event_store)
            .await?;
    }

    let generation = object.metadata.generation;
    let mut status = object.status.clone().unwrap_or_default();
    status.observed_generation = generation;
    // Ready means that it works: look at what the applies gave back, such as a status.
    let ready = conditions::ready(true, "Reconciled", "it is as asked for", generation);
    conditions::set(&mut status.conditions, ready);
    let written = context.objects.patch_status(&*object, &status).await?;
    if written.is_some() {
        let note = "brought to what it asks for";
        context
            .events
            .publish(&*object, EventType::Normal, "Reconciled", "Reconcile", note);
    }
    Ok(Action::requeue(Duration::from_secs(300)))
}

/// The AppService that a Platform asks for. Nothing is made until you say here what it is.
///
/// None leaves one that is there: `Objects::prune` deletes what is no longer asked for, with the verb `delete`.
fn desired_app_service(_object: &v1alpha1::Platform) -> Option<AppService> {
    None
}

/// The ClusterRole that a Platform asks for. Nothing is made until you say here what it is.
///
/// None leaves one that is there: `Objects::prune` deletes what is no longer asked for, with the verb `delete`.
fn desired_cluster_role(_object: &v1alpha1::Platform) -> Option<ClusterRole> {
    None
}

/// The Event that a Platform asks for. Nothing is made until you say here what it is.
///
/// None leaves one that is there: `Objects::prune` deletes what is no longer asked for, with the verb `delete`.
fn desired_event(_object: &v1alpha1::Platform) -> Option<Event> {
    None
}

/// The Event that a Platform asks for. Nothing is made until you say here what it is.
///
/// None leaves one that is there: `Objects::prune` deletes what is no longer asked for, with the verb `delete`.
fn desired_events_v1_event(_object: &v1alpha1::Platform) -> Option<EventsV1Event> {
    None
}
