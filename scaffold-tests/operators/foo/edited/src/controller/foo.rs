// SPDX-License-Identifier: Apache-2.0

//! Reconciles Foo objects: each has a Deployment of nginx.

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

use foo_api::v1alpha1;

/// What logs, metrics and events call this controller.
const NAME: &str = "foo";

/// What reconciling takes.
pub struct Context {
    /// Applies objects and writes the status, with the operator's own permissions.
    pub objects: Objects,
    /// Tells people what was done: `kubectl describe` shows it.
    pub events: EventRecorder,
    /// Every Deployment that the operator sees, as of the last change.
    pub deployments: Store<Deployment>,
}

/// Starts to reconcile every Foo when it, or its Deployment, changes: two of them at a time.
pub fn start(manager: &Manager) {
    let reconciled = manager.store::<v1alpha1::Foo>();
    let deployments = manager.store::<Deployment>();
    let controller = Controller::new(NAME, &reconciled)
        .owns(&deployments)
        .concurrency(2);
    let context = Context {
        objects: manager.objects(),
        events: manager.event_recorder(NAME),
        deployments,
    };
    manager.add_controller(controller, reconcile, context);
}

/// Brings the Deployment to what a Foo asks for, and the status of the Foo to what the Deployment has.
///
/// It is called after every change, and again for what is done already: it changes only what differs. After an error it is
/// called again, later and later.
#[kb::rbac(
    groups = "samplecontroller.k8s.io",
    resources = "foos",
    verbs = "list;watch",
    reason = "Foo is reconciled"
)]
#[kb::rbac(
    groups = "samplecontroller.k8s.io",
    resources = "foos/status",
    verbs = "patch",
    reason = "the status of Foo is written"
)]
#[kb::rbac(
    groups = "events.k8s.io",
    resources = "events",
    verbs = "create;patch",
    reason = "events tell what was done for Foo"
)]
#[kb::rbac(
    groups = "samplecontroller.k8s.io",
    resources = "foos/finalizers",
    verbs = "update",
    reason = "Foo is not gone before what it owns"
)]
#[kb::rbac(
    groups = "apps",
    resources = "deployments",
    verbs = "get;list;watch;create;patch",
    reason = "Foo owns Deployment"
)]
pub async fn reconcile(object: Arc<v1alpha1::Foo>, context: Arc<Context>) -> Result<Action, Error> {
    debug!("reconciling");

    // What it owns is deleted with it: there is nothing to do.
    if object.metadata.deletion_timestamp.is_some() {
        return Ok(Action::await_change());
    }
    // With `min_length = 1` the API server would refuse it. Not every mistake can be found there: this is what to do about the rest.
    if object.spec.deployment_name.is_empty() {
        let note = "spec.deploymentName is empty: give the Deployment a name";
        context.tell(&object, EventType::Warning, "ErrNameMissing", note);
        // Trying again does not help, a change of the Foo does.
        return Err(Error::terminal(note));
    }

    let owner = Owner::of(&*object)?;
    let wanted = desired_deployment(&object);
    let applied = context
        .objects
        .apply(&owner, wanted, &context.deployments)
        .await
        .inspect_err(|error| context.tell_if_taken(&object, error))?;

    let status = v1alpha1::FooStatus {
        available_replicas: available_replicas(applied.object()),
    };
    let written = context.objects.patch_status(&*object, &status).await?;
    if written.is_some() || !applied.is_unchanged() {
        context.tell(&object, EventType::Normal, "Synced", "Foo is synced");
    }
    Ok(Action::await_change())
}

impl Context {
    fn tell(&self, object: &v1alpha1::Foo, type_: EventType, reason: &str, note: &str) {
        self.events.publish(object, type_, reason, "Sync", note);
    }

    /// Somebody else has a Deployment of this name: it is left alone, and people are told.
    fn tell_if_taken(&self, object: &v1alpha1::Foo, error: &ApplyError) {
        if error.is_name_conflict() {
            let note = error.to_string();
            self.tell(object, EventType::Warning, "ErrResourceExists", &note);
        }
    }
}

/// The Deployment that a Foo asks for: only what the Foo says, the rest is left to Kubernetes and to others.
fn desired_deployment(object: &v1alpha1::Foo) -> Deployment {
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

/// Zero, as long as the Deployment does not say.
fn available_replicas(deployment: &Deployment) -> i32 {
    let status = deployment.status.as_ref();
    status
        .and_then(|status| status.available_replicas)
        .unwrap_or(0)
}
