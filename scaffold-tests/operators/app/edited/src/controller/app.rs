// SPDX-License-Identifier: Apache-2.0

//! Reconciles App objects: each owns a Deployment and a Service.

mod desired;

use std::sync::Arc;

use k8s_openapi::api::apps::v1::Deployment;
use k8s_openapi::api::core::v1::Service;
use kb::Manager;
use kb::controller::{Action, Controller, Error, RetryPolicy};
use kb::objects::{Objects, Owner};
use kb::store::Store;
use tracing::debug;

use app_api::v1::{App, AppStatus};
use desired::{desired_deployment, desired_service};

/// Controller name in logs, metrics and events.
const NAME: &str = "app";

/// Maximum number of retries after a failed reconcile.
const MAX_RETRIES: u32 = 10;

/// Shared state of the reconciler.
pub struct Context {
    /// Applies owned objects and patches the status.
    pub objects: Objects,
    /// Cached Deployments.
    pub deployments: Store<Deployment>,
    /// Cached Services.
    pub services: Store<Service>,
}

/// Registers the controller with the manager.
pub fn register(manager: &Manager) {
    let context = Context {
        objects: manager.objects(),
        deployments: manager.store(),
        services: manager.store(),
    };
    let apps = manager.store::<App>();
    let controller = Controller::new(NAME, &apps)
        .owns(&context.deployments)
        .owns(&context.services)
        .report_errors(manager.objects())
        .retry(RetryPolicy::default().max_retries(MAX_RETRIES));
    manager.add_controller(controller, reconcile, context);
}

/// Moves the cluster toward the desired state of an App.
///
/// Errors are reported as events and retried with exponential backoff, at most `MAX_RETRIES` times. The App is then ignored until it changes.
#[kb::rbac("myapp.k8s.io/apps": list, watch)]
#[kb::rbac("myapp.k8s.io/apps/status": patch)]
#[kb::rbac("events.k8s.io/events": create, patch, reason = "to report errors")]
#[kb::rbac("myapp.k8s.io/apps/finalizers": update, reason = "to set blockOwnerDeletion")]
#[kb::rbac("apps/deployments": get, list, watch, create, patch)]
#[kb::rbac("core/services": get, list, watch, create, patch)]
pub async fn reconcile(app: Arc<App>, context: Arc<Context>) -> Result<Action, Error> {
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
        .map_err(|error| Error::from(error).with_reason("ErrDeployment"))?;
    objects
        .apply(&owner, desired_service(&app), &context.services)
        .await
        .map_err(|error| Error::from(error).with_reason("ErrService"))?;

    let deployment_status = deployment.object().status.as_ref();
    let available = deployment_status.and_then(|status| status.available_replicas);
    let status = AppStatus {
        available_replicas: available.unwrap_or(0),
    };
    objects.patch_status(&*app, &status).await?;
    Ok(Action::await_change())
}
