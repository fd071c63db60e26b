// SPDX-License-Identifier: Apache-2.0

//! Reconciles App objects: each owns a Deployment and a Service.

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

/// Controller name in logs, metrics and events.
const NAME: &str = "app";

/// Maximum number of retries after a failed reconcile.
const MAX_RETRIES: u32 = 10;

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
}

/// Registers the controller with the manager.
pub fn register(manager: &Manager) {
    let apps = manager.store::<v1::App>();
    let deployments = manager.store::<Deployment>();
    let services = manager.store::<Service>();
    let controller = Controller::new(NAME, &apps)
        .owns(&deployments)
        .owns(&services)
        .retry(RetryPolicy::default().max_retries(MAX_RETRIES));
    let context = Context {
        objects: manager.objects(),
        recorder: manager.event_recorder(NAME),
        deployments,
        services,
    };
    manager.add_controller(controller, reconcile, context);
}

/// Moves the cluster toward the desired state of `app`.
///
/// Errors are retried with exponential backoff, at most `MAX_RETRIES` times. The App is then ignored until it changes.
#[kb::rbac("myapp.k8s.io/apps": list, watch, reason = "to reconcile Apps")]
#[kb::rbac("myapp.k8s.io/apps/status": patch, reason = "to update the status of Apps")]
#[kb::rbac("events.k8s.io/events": create, patch, reason = "to publish events about Apps")]
#[kb::rbac("myapp.k8s.io/apps/finalizers": update, reason = "to set blockOwnerDeletion on owned objects")]
#[kb::rbac("apps/deployments": get, list, watch, create, patch, reason = "to apply Deployments owned by Apps")]
#[kb::rbac("core/services": get, list, watch, create, patch, reason = "to apply Services owned by Apps")]
pub async fn reconcile(app: Arc<v1::App>, context: Arc<Context>) -> Result<Action, Error> {
    debug!("reconciling");

    // Owned objects are garbage-collected; nothing to clean up.
    if app.metadata.deletion_timestamp.is_some() {
        return Ok(Action::await_change());
    }
    let owner = Owner::of(&*app)?;
    let objects = &context.objects;
    // `apply` fails if an object of this name exists and has another owner.
    let deployment = objects
        .apply(&owner, desired_deployment(&app), &context.deployments)
        .await
        .inspect_err(|error| context.warn(&app, "ErrDeployment", error))?;
    objects
        .apply(&owner, desired_service(&app), &context.services)
        .await
        .inspect_err(|error| context.warn(&app, "ErrService", error))?;

    let deployment_status = deployment.object().status.as_ref();
    let available = deployment_status.and_then(|status| status.available_replicas);
    let status = v1::AppStatus {
        available_replicas: available.unwrap_or(0),
    };
    objects.patch_status(&*app, &status).await?;
    Ok(Action::await_change())
}

impl Context {
    /// Publishes a Warning event about a failed apply.
    fn warn(&self, app: &v1::App, reason: &str, error: &ApplyError) {
        let note = error.to_string();
        self.recorder
            .publish(app, EventType::Warning, reason, "Apply", note);
    }
}
