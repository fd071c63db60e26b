// SPDX-License-Identifier: Apache-2.0

//! Reconciles Page objects.

use std::{collections::BTreeMap, sync::Arc, time::Duration};

use k8s_openapi::api::core::v1::ConfigMap;
use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;
use kb::Manager;
use kb::controller::{Action, Controller, Error};
use kb::objects::{EventRecorder, EventType, Objects, Owner, conditions};
use kb::store::Store;
use tracing::debug;

use my_pages_api::v1alpha1;

/// Controller name in logs, metrics and events.
const NAME: &str = "page";

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
    let pages = manager.store::<v1alpha1::Page>();
    let config_maps = manager.store::<ConfigMap>();
    let controller = Controller::new(NAME, &pages).owns(&config_maps);
    let context = Context {
        objects: manager.objects(),
        recorder: manager.event_recorder(NAME),
        config_maps,
    };
    manager.add_controller(controller, reconcile, context);
}

/// Moves the cluster toward the desired state of `object`.
#[kb::rbac("web.example.com/pages": list, watch, reason = "to reconcile Pages")]
#[kb::rbac("web.example.com/pages/status": patch, reason = "to update the status of Pages")]
#[kb::rbac("events.k8s.io/events": create, patch, reason = "to publish events about Pages")]
#[kb::rbac("web.example.com/pages/finalizers": update, reason = "to set blockOwnerDeletion on owned objects")]
#[kb::rbac("core/configmaps": get, list, watch, create, patch, reason = "to apply ConfigMaps owned by Pages")]
pub async fn reconcile(
    object: Arc<v1alpha1::Page>,
    context: Arc<Context>,
) -> Result<Action, Error> {
    debug!("reconciling");

    // Owned objects are garbage-collected; nothing to clean up.
    if object.metadata.deletion_timestamp.is_some() {
        return Ok(Action::await_change());
    }
    let owner = Owner::of(&*object)?;
    let html = html(&object.spec);
    let bytes = i64::try_from(html.len())?;
    let desired = desired_config_map(&object, html);
    context
        .objects
        .apply(&owner, desired, &context.config_maps)
        .await?;

    let generation = object.metadata.generation;
    let mut status = object.status.clone().unwrap_or_default();
    status.observed_generation = generation;
    status.bytes = Some(bytes);
    let ready = conditions::ready(true, "Reconciled", "the page is up to date", generation);
    conditions::set(&mut status.conditions, ready);
    let patched = context.objects.patch_status(&*object, &status).await?;
    if patched.is_some() {
        let note = format!("Wrote a page of {bytes} bytes");
        context
            .recorder
            .publish(&*object, EventType::Normal, "Written", "Reconcile", note);
    }
    Ok(Action::requeue(Duration::from_secs(300)))
}

/// Returns the desired ConfigMap.
fn desired_config_map(object: &v1alpha1::Page, html: String) -> ConfigMap {
    ConfigMap {
        metadata: ObjectMeta {
            name: object.metadata.name.clone(),
            ..ObjectMeta::default()
        },
        data: Some(BTreeMap::from([("index.html".to_owned(), html)])),
        ..ConfigMap::default()
    }
}

/// Renders the page.
fn html(spec: &v1alpha1::PageSpec) -> String {
    let (language, title) = (&spec.language, &spec.title);
    let text = spec.text.as_deref().unwrap_or_default();
    format!("<html lang=\"{language}\"><h1>{title}</h1><p>{text}</p></html>")
}
