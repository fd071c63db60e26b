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

/// Controller name in logs, metrics and events.
const NAME: &str = "release";

/// Shared state of the reconciler.
pub struct Context {
    /// Applies owned objects and patches the status.
    pub objects: Objects,
    /// Publishes Kubernetes events.
    pub recorder: EventRecorder,
    /// Cached ConfigMaps.
    pub config_maps: Store<ConfigMap>,
}

/// Registers the controller with the manager.
pub fn register(manager: &Manager) {
    let releases = manager.store::<v1::Release>();
    let config_maps = manager.store::<ConfigMap>();
    let controller = Controller::new(NAME, &releases).owns(&config_maps);
    let context = Context {
        objects: manager.objects(),
        recorder: manager.event_recorder(NAME),
        config_maps,
    };
    manager.add_controller(controller, reconcile, context);
}

/// Moves the cluster toward the desired state of `object`.
///
/// Must be idempotent: it runs after every change to the object or its owned objects. Errors are
/// retried with exponential backoff. Objects being deleted have `metadata.deletion_timestamp` set.
#[kb::rbac("helm.example.com/releases": list, watch, reason = "to reconcile Releases")]
#[kb::rbac("helm.example.com/releases/status": patch, reason = "to update the status of Releases")]
#[kb::rbac("events.k8s.io/events": create, patch, reason = "to publish events about Releases")]
#[kb::rbac("helm.example.com/releases/finalizers": update, reason = "to set blockOwnerDeletion on owned objects")]
#[kb::rbac("core/configmaps": get, list, watch, create, patch, reason = "to apply ConfigMaps owned by Releases")]
pub async fn reconcile(object: Arc<v1::Release>, context: Arc<Context>) -> Result<Action, Error> {
    debug!("reconciling");

    // Owned objects are garbage-collected; nothing to clean up.
    if object.metadata.deletion_timestamp.is_some() {
        return Ok(Action::await_change());
    }
    let owner = Owner::of(&*object)?;
    let desired = desired_config_map(&object);
    context
        .objects
        .apply(&owner, desired, &context.config_maps)
        .await?;

    let generation = object.metadata.generation;
    let mut status = object.status.clone().unwrap_or_default();
    status.observed_generation = generation;
    let message = "all owned objects are up to date";
    let ready = conditions::ready(true, "Reconciled", message, generation);
    conditions::set(&mut status.conditions, ready);
    let patched = context.objects.patch_status(&*object, &status).await?;
    if patched.is_some() {
        let note = "Reconciled successfully";
        context
            .recorder
            .publish(&*object, EventType::Normal, "Reconciled", "Reconcile", note);
    }
    Ok(Action::requeue(Duration::from_secs(300)))
}

/// Returns the desired ConfigMap, with the values as one JSON document for the installer of the chart to mount.
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
