// SPDX-License-Identifier: Apache-2.0

//! Reconciles Memcached objects.

use std::{collections::BTreeMap, sync::Arc};

use k8s_openapi::api::apps::v1::{Deployment, DeploymentSpec};
use k8s_openapi::api::core::v1::{
    Capabilities, Container, ContainerPort, PodSecurityContext, PodSpec, PodTemplateSpec,
    SeccompProfile, SecurityContext, Service, ServicePort, ServiceSpec,
};
use k8s_openapi::apimachinery::pkg::apis::meta::v1::{LabelSelector, ObjectMeta};
use k8s_openapi::apimachinery::pkg::util::intstr::IntOrString;
use kb::Manager;
use kb::controller::{Action, Controller, Error};
use kb::objects::{Objects, Owner, Readiness};
use kb::store::Store;
use kube::ResourceExt;
use tracing::debug;

use image_api::v1alpha1::Memcached;

/// Controller name in logs, metrics and events.
const NAME: &str = "memcached";

/// Operator name in the labels of owned objects.
const OPERATOR: &str = "image";

/// Name of the container port, which the Service targets.
const PORT: &str = "app";

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
    let memcacheds = manager.store::<Memcached>();
    let controller = Controller::new(NAME, &memcacheds)
        .owns(&context.deployments)
        .owns(&context.services)
        .report_errors(manager.objects());
    manager.add_controller(controller, reconcile, context);
}

/// Moves the cluster toward the desired state of the object.
///
/// Must be idempotent: it runs after any change to the object or its owned objects. Errors are
/// reported in the status and as events, and retried with exponential backoff unless terminal.
#[kb::rbac("cache.example.com/memcacheds": list, watch)]
#[kb::rbac("cache.example.com/memcacheds/status": patch)]
#[kb::rbac("events.k8s.io/events": create, patch, reason = "to report errors")]
#[kb::rbac("cache.example.com/memcacheds/finalizers": update, reason = "to set blockOwnerDeletion")]
#[kb::rbac("apps/deployments": get, list, watch, create, patch)]
#[kb::rbac("core/services": get, list, watch, create, patch)]
pub async fn reconcile(memcached: Arc<Memcached>, context: Arc<Context>) -> Result<Action, Error> {
    debug!("reconciling");

    // Owned objects are garbage-collected; nothing to clean up.
    if memcached.metadata.deletion_timestamp.is_some() {
        return Ok(Action::await_change());
    }

    let owner = Owner::of(&*memcached)?;
    let mut readiness = Readiness::default();

    let desired = desired_deployment(&memcached);
    let applied = context
        .objects
        .apply(&owner, desired, &context.deployments)
        .await?;
    readiness.observe(applied.object());

    let desired = desired_service(&memcached);
    let applied = context
        .objects
        .apply(&owner, desired, &context.services)
        .await?;
    readiness.observe(applied.object());

    let generation = memcached.metadata.generation;
    let mut status = memcached.status.clone().unwrap_or_default();
    status.observed_generation = generation;
    readiness.set_on(&mut status.conditions, generation);
    context.objects.patch_status(&*memcached, &status).await?;
    Ok(Action::await_change())
}

/// Returns the desired Deployment.
///
/// The operator manages only the fields that are set here.
fn desired_deployment(memcached: &Memcached) -> Deployment {
    let container = Container {
        name: "app".to_owned(),
        image: Some(memcached.spec.image.clone()),
        command: Some(vec![
            "memcached".to_owned(),
            "--memory-limit=64".to_owned(),
            "-o".to_owned(),
            "modern".to_owned(),
            "-v".to_owned(),
        ]),
        ports: Some(vec![ContainerPort {
            name: Some(PORT.to_owned()),
            container_port: memcached.spec.container_port,
            ..Default::default()
        }]),
        security_context: Some(SecurityContext {
            allow_privilege_escalation: Some(false),
            capabilities: Some(Capabilities {
                drop: Some(vec!["ALL".to_owned()]),
                ..Default::default()
            }),
            ..Default::default()
        }),
        ..Default::default()
    };
    let pod = PodSpec {
        containers: vec![container],
        security_context: Some(PodSecurityContext {
            run_as_non_root: Some(true),
            run_as_user: Some(1001),
            seccomp_profile: Some(SeccompProfile {
                type_: "RuntimeDefault".to_owned(),
                ..Default::default()
            }),
            ..Default::default()
        }),
        ..Default::default()
    };
    Deployment {
        metadata: metadata(memcached),
        spec: Some(DeploymentSpec {
            replicas: Some(memcached.spec.size),
            selector: LabelSelector {
                match_labels: Some(labels(memcached)),
                ..Default::default()
            },
            template: PodTemplateSpec {
                metadata: Some(ObjectMeta {
                    labels: Some(labels(memcached)),
                    ..Default::default()
                }),
                spec: Some(pod),
            },
            ..Default::default()
        }),
        ..Default::default()
    }
}

/// Returns the desired Service.
fn desired_service(memcached: &Memcached) -> Service {
    Service {
        metadata: metadata(memcached),
        spec: Some(ServiceSpec {
            selector: Some(labels(memcached)),
            ports: Some(vec![ServicePort {
                port: memcached.spec.container_port,
                // By name, so that it reaches old and new pods while the port changes.
                target_port: Some(IntOrString::String(PORT.to_owned())),
                ..Default::default()
            }]),
            ..Default::default()
        }),
        ..Default::default()
    }
}

/// Returns the name and labels of owned objects.
fn metadata(memcached: &Memcached) -> ObjectMeta {
    ObjectMeta {
        name: Some(memcached.name_any()),
        labels: Some(labels(memcached)),
        ..Default::default()
    }
}

/// Returns the labels of owned objects, which also select the pods.
///
/// They must not change for existing objects: the selector of a Deployment is immutable.
fn labels(memcached: &Memcached) -> BTreeMap<String, String> {
    let label = |key: &str, value: &str| (format!("app.kubernetes.io/{key}"), value.to_owned());
    BTreeMap::from([
        label("name", NAME),
        label("instance", &memcached.name_any()),
        label("managed-by", OPERATOR),
    ])
}
