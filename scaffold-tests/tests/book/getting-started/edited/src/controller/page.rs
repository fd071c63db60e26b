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

/// What logs, metrics and events call this controller.
const NAME: &str = "page";

/// What reconciling takes.
pub struct Context {
    /// Applies objects and writes the status, with the operator's own permissions.
    pub objects: Objects,
    /// Tells people what was done: `kubectl describe` shows it.
    pub events: EventRecorder,
    /// Every ConfigMap that the operator sees, as of the last change.
    pub config_maps: Store<ConfigMap>,
}

/// Starts to reconcile every Page when it, or something it owns, changes.
pub fn start(manager: &Manager) {
    let reconciled = manager.store::<v1alpha1::Page>();
    let config_maps = manager.store::<ConfigMap>();
    let controller = Controller::new(NAME, &reconciled).owns(&config_maps);
    let context = Context {
        objects: manager.objects(),
        events: manager.event_recorder(NAME),
        config_maps,
    };
    manager.add_controller(controller, reconcile, context);
}

/// Brings the cluster to what `object` asks for.
#[kb::rbac(
    groups = "web.example.com",
    resources = "pages",
    verbs = "list;watch",
    reason = "Page is reconciled"
)]
#[kb::rbac(
    groups = "web.example.com",
    resources = "pages/status",
    verbs = "patch",
    reason = "the status of Page is written"
)]
#[kb::rbac(
    groups = "events.k8s.io",
    resources = "events",
    verbs = "create;patch",
    reason = "events tell what was done for Page"
)]
#[kb::rbac(
    groups = "web.example.com",
    resources = "pages/finalizers",
    verbs = "update",
    reason = "Page is not gone before what it owns"
)]
#[kb::rbac(
    groups = "",
    resources = "configmaps",
    verbs = "get;list;watch;create;patch",
    reason = "Page owns ConfigMap"
)]
pub async fn reconcile(
    object: Arc<v1alpha1::Page>,
    context: Arc<Context>,
) -> Result<Action, Error> {
    debug!("reconciling");

    // What it owns is deleted with it: there is nothing to do.
    if object.metadata.deletion_timestamp.is_some() {
        return Ok(Action::await_change());
    }
    let owner = Owner::of(&*object)?;
    let html = html(&object.spec);
    let bytes = i64::try_from(html.len())?;
    let wanted = desired_config_map(&object, html);
    context
        .objects
        .apply(&owner, wanted, &context.config_maps)
        .await?;

    let generation = object.metadata.generation;
    let mut status = object.status.clone().unwrap_or_default();
    status.observed_generation = generation;
    status.bytes = Some(bytes);
    let ready = conditions::ready(true, "Reconciled", "the page is written", generation);
    conditions::set(&mut status.conditions, ready);
    let written = context.objects.patch_status(&*object, &status).await?;
    if written.is_some() {
        let note = format!("wrote a page of {bytes} bytes");
        context
            .events
            .publish(&*object, EventType::Normal, "Written", "Reconcile", note);
    }
    Ok(Action::requeue(Duration::from_secs(300)))
}

/// The ConfigMap that a Page asks for.
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

/// The page itself.
fn html(spec: &v1alpha1::PageSpec) -> String {
    let (language, title) = (&spec.language, &spec.title);
    let text = spec.text.as_deref().unwrap_or_default();
    format!("<html lang=\"{language}\"><h1>{title}</h1><p>{text}</p></html>")
}
