// SPDX-License-Identifier: Apache-2.0

//! Reconciles Warmer objects.

use std::{collections::BTreeMap, sync::Arc};

use k8s_openapi::api::apps::v1::{Deployment, DeploymentSpec};
use k8s_openapi::api::core::v1::{
    Capabilities, Container, PodSecurityContext, PodSpec, PodTemplateSpec, SeccompProfile,
    SecurityContext,
};
use k8s_openapi::apimachinery::pkg::apis::meta::v1::{LabelSelector, ObjectMeta};
use kb::Manager;
use kb::controller::{Action, Controller, Error};
use kb::objects::{Objects, Owner, Readiness};
use kb::store::Store;
use kube::ResourceExt;
use tracing::debug;

use image_api::v1alpha1::Warmer;

/// Controller name in logs, metrics and events.
const NAME: &str = "warmer";

/// Operator name in the labels of owned objects.
const OPERATOR: &str = "image";

/// Shared state of the reconciler.
pub struct Context {
    /// Applies owned objects and patches the status.
    pub objects: Objects,
    /// Cached Deployments.
    pub deployments: Store<Deployment>,
}

/// Registers the controller with the manager.
pub fn register(manager: &Manager) {
    let context = Context {
        objects: manager.objects(),
        deployments: manager.store(),
    };
    let warmers = manager.store::<Warmer>();
    let controller = Controller::new(NAME, &warmers)
        .owns(&context.deployments)
        .report_errors(manager.objects());
    manager.add_controller(controller, reconcile, context);
}

/// Moves the cluster toward the desired state of the object.
///
/// Must be idempotent: it runs after any change to the object or its owned objects. Errors are
/// reported in the status and as events, and retried with exponential backoff unless terminal.
#[kb::rbac("cache.example.com/warmers": list, watch)]
#[kb::rbac("cache.example.com/warmers/status": patch)]
#[kb::rbac("events.k8s.io/events": create, patch, reason = "to report errors")]
#[kb::rbac("cache.example.com/warmers/finalizers": update, reason = "to set blockOwnerDeletion")]
#[kb::rbac("apps/deployments": get, list, watch, create, patch)]
pub async fn reconcile(warmer: Arc<Warmer>, context: Arc<Context>) -> Result<Action, Error> {
    debug!("reconciling");

    // Owned objects are garbage-collected; nothing to clean up.
    if warmer.metadata.deletion_timestamp.is_some() {
        return Ok(Action::await_change());
    }

    let owner = Owner::of(&*warmer)?;
    let mut readiness = Readiness::default();

    let desired = desired_deployment(&warmer);
    let applied = context
        .objects
        .apply(&owner, desired, &context.deployments)
        .await?;
    readiness.observe(applied.object());

    let generation = warmer.metadata.generation;
    let mut status = warmer.status.clone().unwrap_or_default();
    status.observed_generation = generation;
    readiness.set_on(&mut status.conditions, generation);
    context.objects.patch_status(&*warmer, &status).await?;
    Ok(Action::await_change())
}

/// Returns the desired Deployment.
///
/// The operator manages only the fields that are set here.
fn desired_deployment(warmer: &Warmer) -> Deployment {
    let container = Container {
        name: "app".to_owned(),
        image: Some(warmer.spec.image.clone()),
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
            seccomp_profile: Some(SeccompProfile {
                type_: "RuntimeDefault".to_owned(),
                ..Default::default()
            }),
            ..Default::default()
        }),
        ..Default::default()
    };
    Deployment {
        metadata: metadata(warmer),
        spec: Some(DeploymentSpec {
            replicas: Some(warmer.spec.size),
            selector: LabelSelector {
                match_labels: Some(labels(warmer)),
                ..Default::default()
            },
            template: PodTemplateSpec {
                metadata: Some(ObjectMeta {
                    labels: Some(labels(warmer)),
                    ..Default::default()
                }),
                spec: Some(pod),
            },
            ..Default::default()
        }),
        ..Default::default()
    }
}

/// Returns the name and labels of owned objects.
fn metadata(warmer: &Warmer) -> ObjectMeta {
    ObjectMeta {
        name: Some(warmer.name_any()),
        labels: Some(labels(warmer)),
        ..Default::default()
    }
}

/// Returns the labels of owned objects, which also select the pods.
///
/// They must not change for existing objects: the selector of a Deployment is immutable.
fn labels(warmer: &Warmer) -> BTreeMap<String, String> {
    let label = |key: &str, value: &str| (format!("app.kubernetes.io/{key}"), value.to_owned());
    BTreeMap::from([
        label("name", NAME),
        label("instance", &warmer.name_any()),
        label("managed-by", OPERATOR),
    ])
}
