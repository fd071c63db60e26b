// SPDX-License-Identifier: Apache-2.0

//! Reconciles Release objects.

use std::{collections::BTreeMap, sync::Arc};

use k8s_openapi::api::core::v1::ConfigMap;
use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;
use kb::Manager;
use kb::controller::{Action, Controller, Error};
use kb::objects::{Objects, Owner, Readiness};
use kb::serde_json::Value;
use kb::store::Store;
use kube::ResourceExt;
use tracing::debug;

use values_api::v1::Release;

/// Controller name in logs, metrics and events.
const NAME: &str = "release";

/// Shared state of the reconciler.
pub struct Context {
    /// Applies owned objects and patches the status.
    pub objects: Objects,
    /// Cached ConfigMaps.
    pub config_maps: Store<ConfigMap>,
}

/// Registers the controller with the manager.
pub fn register(manager: &Manager) {
    let context = Context {
        objects: manager.objects(),
        config_maps: manager.store(),
    };
    let releases = manager.store::<Release>();
    let controller = Controller::new(NAME, &releases)
        .owns(&context.config_maps)
        .report_errors(manager.objects());
    manager.add_controller(controller, reconcile, context);
}

/// Moves the cluster toward the desired state of the object.
///
/// Must be idempotent: it runs after any change to the object or its owned objects. Errors are
/// reported in the status and retried with exponential backoff.
#[kb::rbac("helm.example.com/releases": list, watch)]
#[kb::rbac("helm.example.com/releases/status": patch)]
#[kb::rbac("events.k8s.io/events": create, patch, reason = "to report errors")]
#[kb::rbac("helm.example.com/releases/finalizers": update, reason = "to set blockOwnerDeletion")]
#[kb::rbac("core/configmaps": get, list, watch, create, patch)]
pub async fn reconcile(release: Arc<Release>, context: Arc<Context>) -> Result<Action, Error> {
    debug!("reconciling");

    // Owned objects are garbage-collected; nothing to clean up.
    if release.metadata.deletion_timestamp.is_some() {
        return Ok(Action::await_change());
    }

    let owner = Owner::of(&*release)?;
    let mut readiness = Readiness::default();

    let desired = desired_config_map(&release);
    let applied = context
        .objects
        .apply(&owner, desired, &context.config_maps)
        .await?;
    readiness.observe(applied.object());

    let generation = release.metadata.generation;
    let mut status = release.status.clone().unwrap_or_default();
    status.observed_generation = generation;
    readiness.set_on(&mut status.conditions, generation);
    context.objects.patch_status(&*release, &status).await?;
    Ok(Action::await_change())
}

/// Returns the desired ConfigMap, with the values as one JSON document for the installer of the chart to mount.
fn desired_config_map(release: &Release) -> ConfigMap {
    let values = Value::Object(release.spec.values.clone());
    ConfigMap {
        metadata: ObjectMeta {
            name: Some(release.name_any()),
            ..ObjectMeta::default()
        },
        data: Some(BTreeMap::from([(
            "values.json".to_owned(),
            values.to_string(),
        )])),
        ..ConfigMap::default()
    }
}
