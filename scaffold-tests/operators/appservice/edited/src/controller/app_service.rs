// SPDX-License-Identifier: Apache-2.0

//! Reconciles AppService objects: each has a Deployment and a Service of its own name.

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

/// What logs, metrics and events call this controller.
const NAME: &str = "appservice";

/// What the port of the pods is called.
const PORT: &str = "http";

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

/// Starts to reconcile every AppService when it, or something it owns, changes.
pub fn start(manager: &Manager) {
    let reconciled = manager.store::<v1alpha1::AppService>();
    let deployments = manager.store::<Deployment>();
    let services = manager.store::<Service>();
    let controller = Controller::new(NAME, &reconciled)
        .owns(&deployments)
        .owns(&services);
    let context = Context {
        objects: manager.objects(),
        events: manager.event_recorder(NAME),
        deployments,
        services,
    };
    manager.add_controller(controller, reconcile, context);
}

/// Brings the cluster to what `object` asks for.
///
/// It is called after every change, and again for what is done already. Nothing is sent then: `apply` and `patch_status` look first.
#[kb::rbac(
    groups = "batch.example.com",
    resources = "appservices",
    verbs = "list;watch",
    reason = "AppService is reconciled"
)]
#[kb::rbac(
    groups = "batch.example.com",
    resources = "appservices/status",
    verbs = "patch",
    reason = "the status of AppService is written"
)]
#[kb::rbac(
    groups = "events.k8s.io",
    resources = "events",
    verbs = "create;patch",
    reason = "events tell what was done for AppService"
)]
#[kb::rbac(
    groups = "batch.example.com",
    resources = "appservices/finalizers",
    verbs = "update",
    reason = "AppService is not gone before what it owns"
)]
#[kb::rbac(
    groups = "apps",
    resources = "deployments",
    verbs = "get;list;watch;create;patch",
    reason = "AppService owns Deployment"
)]
#[kb::rbac(
    groups = "",
    resources = "services",
    verbs = "get;list;watch;create;patch",
    reason = "AppService owns Service"
)]
pub async fn reconcile(
    object: Arc<v1alpha1::AppService>,
    context: Arc<Context>,
) -> Result<Action, Error> {
    debug!("reconciling");

    // What it owns is deleted with it: there is nothing to do.
    if object.metadata.deletion_timestamp.is_some() {
        return Ok(Action::await_change());
    }
    let deployment = apply(&object, &context).await.inspect_err(|error| {
        let note = error.to_string();
        context
            .events
            .publish(&*object, EventType::Warning, "Failed", "Apply", note);
    })?;

    let ready = readiness(&object, &deployment);
    let mut status = object.status.clone().unwrap_or_default();
    status.observed_generation = object.metadata.generation;
    status.available_replicas = Some(available(&deployment));
    conditions::set(&mut status.conditions, ready.clone());
    let written = context.objects.patch_status(&*object, &status).await?;
    if written.is_some() {
        let (reason, note) = (&ready.reason, &*ready.message);
        context
            .events
            .publish(&*object, EventType::Normal, reason, "Reconcile", note);
    }
    Ok(Action::requeue(Duration::from_secs(300)))
}

/// Makes the Service and the Deployment what `object` asks for, and gives the Deployment as it is then.
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

/// The Deployment that an AppService asks for.
///
/// Only the fields that are said here belong to the operator. What others set besides, an annotation or the replicas that an
/// AppService leaves open, stays theirs.
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

/// The Service that an AppService asks for. Its clusterIP is the API server's to choose, and stays.
fn desired_service(object: &v1alpha1::AppService) -> Service {
    let port = ServicePort {
        port: object.spec.port,
        // By name: while a new port is rolled out, each pod is reached at its own.
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

/// What the pods are found by. The selector of a Deployment cannot change: these depend on the name alone.
fn labels(object: &v1alpha1::AppService) -> BTreeMap<String, String> {
    BTreeMap::from([
        ("app.kubernetes.io/name".to_owned(), "appservice".to_owned()),
        ("app.kubernetes.io/instance".to_owned(), object.name_any()),
    ])
}

/// How many pods of a Deployment are available.
fn available(deployment: &Deployment) -> i32 {
    let status = deployment.status.as_ref();
    let available = status.and_then(|status| status.available_replicas);
    available.unwrap_or(0)
}

/// Whether as many pods are available as the Deployment asks for, by whomever it was told how many, and none of an earlier image is
/// counted for one of this.
fn readiness(object: &v1alpha1::AppService, deployment: &Deployment) -> Condition {
    let wanted = deployment.spec.as_ref().and_then(|spec| spec.replicas);
    let wanted = wanted.unwrap_or(1);
    let is_rolled_out = deployment.status.as_ref().is_some_and(|status| {
        status.observed_generation >= deployment.metadata.generation
            && status.updated_replicas.unwrap_or(0) >= wanted
    });
    let is_ready = is_rolled_out && available(deployment) >= wanted;
    let (reason, message) = if is_ready {
        ("Available", "all pods are available")
    } else {
        ("Progressing", "some pods are not available yet")
    };
    conditions::ready(is_ready, reason, message, object.metadata.generation)
}
