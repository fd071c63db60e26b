// SPDX-License-Identifier: Apache-2.0

//! Reconciles Release objects.

use std::{collections::BTreeMap, sync::Arc, time::Duration};

use k8s_openapi::api::core::v1::ConfigMap;
use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;
use kb::Manager;
use kb::controller::{Action, Controller, Error};
use kb::objects::{EventRecorder, EventType, Objects, Owner, conditions};
use kb::serde_json::Value;
use kb::store::Store;
use kube::ResourceExt;
use tracing::debug;

use values_api::v1;

/// What logs, metrics and events call this controller.
const NAME: &str = "release";

/// What reconciling takes.
pub struct Context {
    /// Applies objects and writes the status, with the operator's own permissions.
    pub objects: Objects,
    /// Tells people what was done: `kubectl describe` shows it.
    pub events: EventRecorder,
    /// Every ConfigMap that the operator sees, as of the last change.
    pub configmaps: Store<ConfigMap>,
}

/// Starts to reconcile every Release when it, or something it owns, changes.
pub fn start(manager: &Manager) {
    let reconciled = manager.store::<v1::Release>();
    let configmaps = manager.store::<ConfigMap>();
    let controller = Controller::new(NAME, &reconciled).owns(&configmaps);
    let context = Context {
        objects: manager.objects(),
        events: manager.event_recorder(NAME),
        configmaps,
    };
    manager.add_controller(controller, reconcile, context);
}

/// Brings the cluster to what `object` asks for.
///
/// It is called after every change, and again for what is done already: change only what differs. Objects that are being
/// deleted come here, too: they have a `metadata.deletion_timestamp`. After an error it is called again, later and later.
#[kb::rbac(
    groups = "helm.example.com",
    resources = "releases",
    verbs = "list;watch",
    reason = "Release is reconciled"
)]
#[kb::rbac(
    groups = "helm.example.com",
    resources = "releases/status",
    verbs = "patch",
    reason = "the status of Release is written"
)]
#[kb::rbac(
    groups = "events.k8s.io",
    resources = "events",
    verbs = "create;patch",
    reason = "events tell what was done for Release"
)]
#[kb::rbac(
    groups = "helm.example.com",
    resources = "releases/finalizers",
    verbs = "update",
    reason = "Release is not gone before what it owns"
)]
#[kb::rbac(
    groups = "",
    resources = "configmaps",
    verbs = "get;list;watch;create;patch",
    reason = "Release owns ConfigMap"
)]
pub async fn reconcile(object: Arc<v1::Release>, context: Arc<Context>) -> Result<Action, Error> {
    debug!("reconciling");

    // What it owns is deleted with it: there is nothing to do.
    if object.metadata.deletion_timestamp.is_some() {
        return Ok(Action::await_change());
    }
    let owner = Owner::of(&*object)?;
    let wanted = desired_config_map(&object);
    context
        .objects
        .apply(&owner, wanted, &context.configmaps)
        .await?;

    let generation = object.metadata.generation;
    let mut status = object.status.clone().unwrap_or_default();
    status.observed_generation = generation;
    let ready = conditions::ready(true, "Reconciled", "it is as asked for", generation);
    conditions::set(&mut status.conditions, ready);
    let written = context.objects.patch_status(&*object, &status).await?;
    if written.is_some() {
        let note = "brought to what it asks for";
        context
            .events
            .publish(&*object, EventType::Normal, "Reconciled", "Reconcile", note);
    }
    Ok(Action::requeue(Duration::from_secs(300)))
}

/// The ConfigMap that hands the values on, as one JSON document: whoever installs the chart mounts it.
fn desired_config_map(object: &v1::Release) -> ConfigMap {
    let values = Value::Object(object.spec.values.clone());
    ConfigMap {
        metadata: ObjectMeta {
            name: Some(object.name_any()),
            ..ObjectMeta::default()
        },
        data: Some(BTreeMap::from([(
            "values.json".to_owned(),
            values.to_string(),
        )])),
        ..ConfigMap::default()
    }
}
