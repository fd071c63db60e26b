// SPDX-License-Identifier: Apache-2.0

//! Reconciles AppService objects: each owns a Deployment and a Service of the same name.

use std::{collections::BTreeMap, sync::Arc, time::Duration};

use k8s_openapi::api::apps::v1::{Deployment, DeploymentSpec};
use k8s_openapi::api::core::v1::{
    Container, ContainerPort, PodSpec, PodTemplateSpec, Service, ServicePort, ServiceSpec,
};
use k8s_openapi::apimachinery::pkg::apis::meta::v1::{Condition, LabelSelector, ObjectMeta};
use k8s_openapi::apimachinery::pkg::util::intstr::IntOrString;
use kb::Manager;
use kb::controller::{Action, Controller, Error};
use kb::objects::{ApplyError, EventRecorder, EventType, Objects, Owner, conditions};
use kb::store::Store;
use kube::ResourceExt;
use tracing::debug;

use appservice_api::v1alpha1;

/// Controller name in logs, metrics and events.
const NAME: &str = "appservice";

/// Name of the container port.
const PORT: &str = "http";

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
    let app_services = manager.store::<v1alpha1::AppService>();
    let deployments = manager.store::<Deployment>();
    let services = manager.store::<Service>();
    let controller = Controller::new(NAME, &app_services)
        .owns(&deployments)
        .owns(&services);
    let context = Context {
        objects: manager.objects(),
        recorder: manager.event_recorder(NAME),
        deployments,
        services,
    };
    manager.add_controller(controller, reconcile, context);
}

/// Moves the cluster toward the desired state of `object`.
///
/// Idempotent: `apply` and `patch_status` send nothing if the cached objects are up to date.
#[kb::rbac("batch.example.com/appservices": list, watch, reason = "to reconcile AppServices")]
#[kb::rbac("batch.example.com/appservices/status": patch, reason = "to update the status of AppServices")]
#[kb::rbac("events.k8s.io/events": create, patch, reason = "to publish events about AppServices")]
#[kb::rbac("batch.example.com/appservices/finalizers": update, reason = "to set blockOwnerDeletion on owned objects")]
#[kb::rbac("apps/deployments": get, list, watch, create, patch, reason = "to apply Deployments owned by AppServices")]
#[kb::rbac("core/services": get, list, watch, create, patch, reason = "to apply Services owned by AppServices")]
pub async fn reconcile(
    object: Arc<v1alpha1::AppService>,
    context: Arc<Context>,
) -> Result<Action, Error> {
    debug!("reconciling");

    // Owned objects are garbage-collected; nothing to clean up.
    if object.metadata.deletion_timestamp.is_some() {
        return Ok(Action::await_change());
    }
    let deployment = apply(&object, &context).await.inspect_err(|error| {
        let note = error.to_string();
        context
            .recorder
            .publish(&*object, EventType::Warning, "Failed", "Apply", note);
    })?;

    let ready = readiness(&object, &deployment);
    let mut status = object.status.clone().unwrap_or_default();
    status.observed_generation = object.metadata.generation;
    status.available_replicas = Some(available(&deployment));
    conditions::set(&mut status.conditions, ready.clone());
    let patched = context.objects.patch_status(&*object, &status).await?;
    if patched.is_some() {
        let (reason, note) = (&ready.reason, &*ready.message);
        context
            .recorder
            .publish(&*object, EventType::Normal, reason, "Reconcile", note);
    }
    Ok(Action::requeue(Duration::from_secs(300)))
}

/// Applies the Service and the Deployment, and returns the live Deployment.
async fn apply(object: &v1alpha1::AppService, context: &Context) -> Result<Deployment, ApplyError> {
    let owner = Owner::of(object)?;
    context
        .objects
        .apply(&owner, desired_service(object), &context.services)
        .await?;
    let deployment = context
        .objects
        .apply(&owner, desired_deployment(object), &context.deployments)
        .await?;
    Ok(deployment.into_object())
}

/// Returns the desired Deployment.
///
/// The operator owns only the fields that are set here. Others may set the rest, such as annotations, or the replicas if the
/// AppService does not.
fn desired_deployment(object: &v1alpha1::AppService) -> Deployment {
    let port = ContainerPort {
        name: Some(PORT.to_owned()),
        container_port: object.spec.port,
        ..Default::default()
    };
    let container = Container {
        name: "app".to_owned(),
        image: Some(object.spec.image.clone()),
        ports: Some(vec![port]),
        ..Default::default()
    };
    let template = PodTemplateSpec {
        metadata: Some(ObjectMeta {
            labels: Some(labels(object)),
            ..Default::default()
        }),
        spec: Some(PodSpec {
            containers: vec![container],
            ..Default::default()
        }),
    };
    Deployment {
        metadata: metadata(object),
        spec: Some(DeploymentSpec {
            replicas: object.spec.replicas,
            selector: LabelSelector {
                match_labels: Some(labels(object)),
                ..Default::default()
            },
            template,
            ..Default::default()
        }),
        ..Default::default()
    }
}

/// Returns the desired Service. The API server assigns the clusterIP.
fn desired_service(object: &v1alpha1::AppService) -> Service {
    let port = ServicePort {
        port: object.spec.port,
        // By name, so that a rollout of another port reaches old and new pods.
        target_port: Some(IntOrString::String(PORT.to_owned())),
        ..Default::default()
    };
    Service {
        metadata: metadata(object),
        spec: Some(ServiceSpec {
            selector: Some(labels(object)),
            ports: Some(vec![port]),
            ..Default::default()
        }),
        ..Default::default()
    }
}

fn metadata(object: &v1alpha1::AppService) -> ObjectMeta {
    ObjectMeta {
        name: Some(object.name_any()),
        labels: Some(labels(object)),
        ..Default::default()
    }
}

/// Returns the labels that select the pods. They depend only on the name, because the selector of a Deployment is immutable.
fn labels(object: &v1alpha1::AppService) -> BTreeMap<String, String> {
    BTreeMap::from([
        ("app.kubernetes.io/name".to_owned(), "appservice".to_owned()),
        ("app.kubernetes.io/instance".to_owned(), object.name_any()),
    ])
}

/// Returns the number of available pods.
fn available(deployment: &Deployment) -> i32 {
    let status = deployment.status.as_ref();
    let available = status.and_then(|status| status.available_replicas);
    available.unwrap_or(0)
}

/// Returns the Ready condition: true when all desired pods run the current template and are available.
fn readiness(object: &v1alpha1::AppService, deployment: &Deployment) -> Condition {
    let desired = deployment.spec.as_ref().and_then(|spec| spec.replicas);
    let desired = desired.unwrap_or(1);
    let is_rolled_out = deployment.status.as_ref().is_some_and(|status| {
        status.observed_generation >= deployment.metadata.generation
            && status.updated_replicas.unwrap_or(0) >= desired
    });
    let is_ready = is_rolled_out && available(deployment) >= desired;
    let (reason, message) = if is_ready {
        ("Available", "all pods are available")
    } else {
        ("Progressing", "some pods are not available yet")
    };
    conditions::ready(is_ready, reason, message, object.metadata.generation)
}
