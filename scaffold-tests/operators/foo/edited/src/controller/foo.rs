// SPDX-License-Identifier: Apache-2.0

//! Reconciles Foo objects: each owns a Deployment of nginx.

use std::{collections::BTreeMap, sync::Arc};

use k8s_openapi::api::apps::v1::{Deployment, DeploymentSpec};
use k8s_openapi::api::core::v1::{Container, PodSpec, PodTemplateSpec};
use k8s_openapi::apimachinery::pkg::apis::meta::v1::{LabelSelector, ObjectMeta};
use kb::Manager;
use kb::controller::{Action, Controller, Error};
use kb::objects::{ApplyError, EventRecorder, EventType, Objects, Owner};
use kb::store::Store;
use kube::ResourceExt;
use tracing::debug;

use foo_api::v1alpha1::{Foo, FooStatus};

/// Controller name in logs, metrics and events.
const NAME: &str = "foo";

/// Shared state of the reconciler.
pub struct Context {
    /// Applies owned objects and patches the status.
    pub objects: Objects,
    /// Publishes Kubernetes events.
    pub recorder: EventRecorder,
    /// Cached Deployments.
    pub deployments: Store<Deployment>,
}

/// Registers the controller with the manager. It reconciles two Foos concurrently.
pub fn register(manager: &Manager) {
    let context = Context {
        objects: manager.objects(),
        recorder: manager.event_recorder(NAME),
        deployments: manager.store(),
    };
    let foos = manager.store::<Foo>();
    let controller = Controller::new(NAME, &foos)
        .owns(&context.deployments)
        .report_errors(manager.objects())
        .concurrency(2);
    manager.add_controller(controller, reconcile, context);
}

/// Moves the cluster toward the desired state of the object.
///
/// Must be idempotent: it runs after any change to the object or its Deployment. Errors are reported as
/// events and retried with exponential backoff.
#[kb::rbac("samplecontroller.k8s.io/foos": list, watch)]
#[kb::rbac("samplecontroller.k8s.io/foos/status": patch)]
#[kb::rbac("events.k8s.io/events": create, patch, reason = "to report errors and success")]
#[kb::rbac("samplecontroller.k8s.io/foos/finalizers": update, reason = "to set blockOwnerDeletion")]
#[kb::rbac("apps/deployments": get, list, watch, create, patch)]
pub async fn reconcile(object: Arc<Foo>, context: Arc<Context>) -> Result<Action, Error> {
    debug!("reconciling");

    // Owned objects are garbage-collected; nothing to clean up.
    if object.metadata.deletion_timestamp.is_some() {
        return Ok(Action::await_change());
    }
    // `min_length = 1` would reject this in the API server. It is checked here to show a terminal error.
    if object.spec.deployment_name.is_empty() {
        // A retry cannot succeed until the Foo changes.
        let error = Error::terminal("spec.deploymentName must not be empty");
        return Err(error.with_reason("ErrNameMissing"));
    }

    let owner = Owner::of(&*object)?;
    let desired = desired_deployment(&object);
    let applied = context
        .objects
        .apply(&owner, desired, &context.deployments)
        .await
        .map_err(apply_error)?;

    let status = FooStatus {
        available_replicas: available_replicas(applied.object()),
    };
    let patched = context.objects.patch_status(&*object, &status).await?;
    if patched.is_some() || !applied.is_unchanged() {
        let note = "Foo synced successfully";
        context
            .recorder
            .publish(&*object, EventType::Normal, "Synced", "Sync", note);
    }
    Ok(Action::await_change())
}

/// Names the reason if the Deployment exists but is not owned by this Foo.
fn apply_error(error: ApplyError) -> Error {
    if error.is_name_conflict() {
        return Error::from(error).with_reason("ErrResourceExists");
    }
    error.into()
}

/// Returns the desired Deployment. It sets only the fields that the Foo determines; other field managers may set the rest.
fn desired_deployment(object: &Foo) -> Deployment {
    let labels = BTreeMap::from([
        ("app".to_owned(), "nginx".to_owned()),
        ("controller".to_owned(), object.name_any()),
    ]);
    let nginx = Container {
        name: "nginx".to_owned(),
        image: Some("nginx:latest".to_owned()),
        ..Container::default()
    };
    Deployment {
        metadata: ObjectMeta {
            name: Some(object.spec.deployment_name.clone()),
            labels: Some(labels.clone()),
            ..ObjectMeta::default()
        },
        spec: Some(DeploymentSpec {
            replicas: object.spec.replicas,
            selector: LabelSelector {
                match_labels: Some(labels.clone()),
                ..LabelSelector::default()
            },
            template: PodTemplateSpec {
                metadata: Some(ObjectMeta {
                    labels: Some(labels),
                    ..ObjectMeta::default()
                }),
                spec: Some(PodSpec {
                    containers: vec![nginx],
                    ..PodSpec::default()
                }),
            },
            ..DeploymentSpec::default()
        }),
        ..Deployment::default()
    }
}

/// Returns the available replicas from the status, or zero if it is not set yet.
fn available_replicas(deployment: &Deployment) -> i32 {
    let status = deployment.status.as_ref();
    status
        .and_then(|status| status.available_replicas)
        .unwrap_or(0)
}
