// SPDX-License-Identifier: Apache-2.0

//! Reconciles App objects: each has a Deployment and a Service.

mod desired;

use std::sync::Arc;

use k8s_openapi::api::apps::v1::Deployment;
use k8s_openapi::api::core::v1::Service;
use kb::Manager;
use kb::controller::{Action, Controller, Error, RetryPolicy};
use kb::objects::{ApplyError, EventRecorder, EventType, Objects, Owner};
use kb::store::Store;
use tracing::debug;

use app_api::v1;
use desired::{desired_deployment, desired_service};

/// What logs, metrics and events call this controller.
const NAME: &str = "app";

/// How often an App that fails is tried again before it rests.
const RETRIES: u32 = 10;

/// What reconciling takes.
pub struct Context {
    /// Applies objects and writes the status, with the operator's own permissions.
    pub objects: Objects,
    /// Tells people what was done: `kubectl describe` shows it.
    pub events: EventRecorder,
    /// Every Deployment that the operator sees, as of the last change.
    pub deployments: Store<Deployment>,
    /// Every Service that the operator sees, as of the last change.
    pub services: Store<Service>,
}

/// Starts to reconcile every App when it, or something it owns, changes.
pub fn start(manager: &Manager) {
    let reconciled = manager.store::<v1::App>();
    let deployments = manager.store::<Deployment>();
    let services = manager.store::<Service>();
    let controller = Controller::new(NAME, &reconciled)
        .owns(&deployments)
        .owns(&services)
        .retry(RetryPolicy::default().max_retries(RETRIES));
    let context = Context {
        objects: manager.objects(),
        events: manager.event_recorder(NAME),
        deployments,
        services,
    };
    manager.add_controller(controller, reconcile, context);
}

/// Brings Deployment and Service to what an App asks for, and its status to what the Deployment has.
///
/// It is called after every change, and again for what is done already: it changes only what differs. After an error it is
/// called again, later and later, until it has failed too often. Then the App rests until it changes; others do not wait for it.
#[kb::rbac(
    groups = "myapp.k8s.io",
    resources = "apps",
    verbs = "list;watch",
    reason = "App is reconciled"
)]
#[kb::rbac(
    groups = "myapp.k8s.io",
    resources = "apps/status",
    verbs = "patch",
    reason = "the status of App is written"
)]
#[kb::rbac(
    groups = "events.k8s.io",
    resources = "events",
    verbs = "create;patch",
    reason = "events tell what was done for App"
)]
#[kb::rbac(
    groups = "myapp.k8s.io",
    resources = "apps/finalizers",
    verbs = "update",
    reason = "App is not gone before what it owns"
)]
#[kb::rbac(
    groups = "apps",
    resources = "deployments",
    verbs = "get;list;watch;create;patch",
    reason = "App owns Deployment"
)]
#[kb::rbac(
    groups = "",
    resources = "services",
    verbs = "get;list;watch;create;patch",
    reason = "App owns Service"
)]
pub async fn reconcile(app: Arc<v1::App>, context: Arc<Context>) -> Result<Action, Error> {
    debug!("reconciling");

    // What it owns is deleted with it: there is nothing to do.
    if app.metadata.deletion_timestamp.is_some() {
        return Ok(Action::await_change());
    }
    let owner = Owner::of(&*app)?;
    let objects = &context.objects;
    // Neither is taken from somebody else: that is an error, too.
    let deployment = objects
        .apply(&owner, desired_deployment(&app), &context.deployments)
        .await
        .inspect_err(|error| context.warn(&app, "ErrDeployment", error))?;
    objects
        .apply(&owner, desired_service(&app), &context.services)
        .await
        .inspect_err(|error| context.warn(&app, "ErrService", error))?;

    let deployed = deployment.object().status.as_ref();
    let available = deployed.and_then(|status| status.available_replicas);
    let status = v1::AppStatus {
        available_replicas: available.unwrap_or(0),
    };
    objects.patch_status(&*app, &status).await?;
    Ok(Action::await_change())
}

impl Context {
    /// Tells people why an App is not as it asks to be.
    fn warn(&self, app: &v1::App, reason: &str, error: &ApplyError) {
        let note = error.to_string();
        self.events
            .publish(app, EventType::Warning, reason, "Apply", note);
    }
}
