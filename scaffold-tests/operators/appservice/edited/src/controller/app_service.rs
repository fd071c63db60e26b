// SPDX-License-Identifier: Apache-2.0

//! Reconciles AppService objects: each owns a Deployment and a Service of the same name.

use std::{collections::BTreeMap, sync::Arc};

use k8s_openapi::api::apps::v1::{Deployment, DeploymentSpec};
use k8s_openapi::api::core::v1::{
    Container, ContainerPort, PodSpec, PodTemplateSpec, Service, ServicePort, ServiceSpec,
};
use k8s_openapi::apimachinery::pkg::apis::meta::v1::{LabelSelector, ObjectMeta};
use k8s_openapi::apimachinery::pkg::util::intstr::IntOrString;
use kb::Manager;
use kb::controller::{Action, Controller, Error};
use kb::objects::{Objects, Owner, Readiness};
use kb::store::Store;
use kube::ResourceExt;
use tracing::debug;

use appservice_api::v1alpha1::AppService;

/// Controller name in logs, metrics and events.
const NAME: &str = "appservice";

/// Name of the container port.
const PORT: &str = "http";

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
    let app_services = manager.store::<AppService>();
    let controller = Controller::new(NAME, &app_services)
        .owns(&context.deployments)
        .owns(&context.services)
        .report_errors(manager.objects());
    manager.add_controller(controller, reconcile, context);
}

/// Moves the cluster toward the desired state of the object.
///
/// Idempotent: `apply` and `patch_status` send nothing if the cached objects are up to date.
#[kb::rbac("batch.example.com/appservices": list, watch)]
#[kb::rbac("batch.example.com/appservices/status": patch)]
#[kb::rbac("events.k8s.io/events": create, patch, reason = "to report errors")]
#[kb::rbac("batch.example.com/appservices/finalizers": update, reason = "to set blockOwnerDeletion")]
#[kb::rbac("apps/deployments": get, list, watch, create, patch)]
#[kb::rbac("core/services": get, list, watch, create, patch)]
pub async fn reconcile(
    app_service: Arc<AppService>,
    context: Arc<Context>,
) -> Result<Action, Error> {
    debug!("reconciling");

    // Owned objects are garbage-collected; nothing to clean up.
    if app_service.metadata.deletion_timestamp.is_some() {
        return Ok(Action::await_change());
    }

    let owner = Owner::of(&*app_service)?;
    let mut readiness = Readiness::default();

    let desired = desired_service(&app_service);
    let service = context
        .objects
        .apply(&owner, desired, &context.services)
        .await?;
    readiness.observe(service.object());

    let desired = desired_deployment(&app_service);
    let deployment = context
        .objects
        .apply(&owner, desired, &context.deployments)
        .await?;
    readiness.observe(deployment.object());

    let generation = app_service.metadata.generation;
    let mut status = app_service.status.clone().unwrap_or_default();
    status.observed_generation = generation;
    status.available_replicas = Some(available(deployment.object()));
    readiness.set_on(&mut status.conditions, generation);
    context.objects.patch_status(&*app_service, &status).await?;
    Ok(Action::await_change())
}

/// Returns the desired Deployment.
///
/// The operator owns only the fields that are set here. Others may set the rest, such as annotations, or the replicas if the
/// AppService does not.
fn desired_deployment(app_service: &AppService) -> Deployment {
    let port = ContainerPort {
        name: Some(PORT.to_owned()),
        container_port: app_service.spec.port,
        ..Default::default()
    };
    let container = Container {
        name: "app".to_owned(),
        image: Some(app_service.spec.image.clone()),
        ports: Some(vec![port]),
        ..Default::default()
    };
    let template = PodTemplateSpec {
        metadata: Some(ObjectMeta {
            labels: Some(labels(app_service)),
            ..Default::default()
        }),
        spec: Some(PodSpec {
            containers: vec![container],
            ..Default::default()
        }),
    };
    Deployment {
        metadata: metadata(app_service),
        spec: Some(DeploymentSpec {
            replicas: app_service.spec.replicas,
            selector: LabelSelector {
                match_labels: Some(labels(app_service)),
                ..Default::default()
            },
            template,
            ..Default::default()
        }),
        ..Default::default()
    }
}

/// Returns the desired Service. The API server assigns the clusterIP.
fn desired_service(app_service: &AppService) -> Service {
    let port = ServicePort {
        port: app_service.spec.port,
        // By name, so that a rollout of another port reaches old and new pods.
        target_port: Some(IntOrString::String(PORT.to_owned())),
        ..Default::default()
    };
    Service {
        metadata: metadata(app_service),
        spec: Some(ServiceSpec {
            selector: Some(labels(app_service)),
            ports: Some(vec![port]),
            ..Default::default()
        }),
        ..Default::default()
    }
}

fn metadata(app_service: &AppService) -> ObjectMeta {
    ObjectMeta {
        name: Some(app_service.name_any()),
        labels: Some(labels(app_service)),
        ..Default::default()
    }
}

/// Returns the labels that select the pods. They depend only on the name, because the selector of a Deployment is immutable.
fn labels(app_service: &AppService) -> BTreeMap<String, String> {
    BTreeMap::from([
        ("app.kubernetes.io/name".to_owned(), "appservice".to_owned()),
        (
            "app.kubernetes.io/instance".to_owned(),
            app_service.name_any(),
        ),
    ])
}

/// Returns the number of available pods.
fn available(deployment: &Deployment) -> i32 {
    let status = deployment.status.as_ref();
    let available = status.and_then(|status| status.available_replicas);
    available.unwrap_or(0)
}
