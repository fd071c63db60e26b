// SPDX-License-Identifier: Apache-2.0

//! Reconciles Page objects.

use std::{collections::BTreeMap, sync::Arc};

use k8s_openapi::api::core::v1::ConfigMap;
use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;
use kb::Manager;
use kb::controller::{Action, Controller, Error};
use kb::objects::{Objects, Owner, Readiness};
use kb::store::Store;
use tracing::debug;

use my_pages_api::v1alpha1::{Page, PageSpec};

/// Controller name in logs, metrics and events.
const NAME: &str = "page";

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
    let pages = manager.store::<Page>();
    let controller = Controller::new(NAME, &pages)
        .owns(&context.config_maps)
        .report_errors(manager.objects());
    manager.add_controller(controller, reconcile, context);
}

/// Moves the cluster toward the desired state of the object.
///
/// Must be idempotent: it runs after any change to the object or its owned objects. Errors are
/// reported in the status and retried with exponential backoff.
#[kb::rbac("web.example.com/pages": list, watch)]
#[kb::rbac("web.example.com/pages/status": patch)]
#[kb::rbac("events.k8s.io/events": create, patch, reason = "to report errors")]
#[kb::rbac("web.example.com/pages/finalizers": update, reason = "to set blockOwnerDeletion")]
#[kb::rbac("core/configmaps": get, list, watch, create, patch)]
pub async fn reconcile(page: Arc<Page>, context: Arc<Context>) -> Result<Action, Error> {
    debug!("reconciling");

    // Owned objects are garbage-collected; nothing to clean up.
    if page.metadata.deletion_timestamp.is_some() {
        return Ok(Action::await_change());
    }

    let owner = Owner::of(&*page)?;
    let mut readiness = Readiness::default();

    let html = html(&page.spec);
    let bytes = i64::try_from(html.len())?;
    let desired = desired_config_map(&page, html);
    let applied = context
        .objects
        .apply(&owner, desired, &context.config_maps)
        .await?;
    readiness.observe(applied.object());

    let generation = page.metadata.generation;
    let mut status = page.status.clone().unwrap_or_default();
    status.observed_generation = generation;
    status.bytes = Some(bytes);
    readiness.set_on(&mut status.conditions, generation);
    context.objects.patch_status(&*page, &status).await?;
    Ok(Action::await_change())
}

/// Returns the desired ConfigMap.
fn desired_config_map(page: &Page, html: String) -> ConfigMap {
    ConfigMap {
        metadata: ObjectMeta {
            name: page.metadata.name.clone(),
            ..ObjectMeta::default()
        },
        data: Some(BTreeMap::from([("index.html".to_owned(), html)])),
        ..ConfigMap::default()
    }
}

/// Renders the page.
fn html(spec: &PageSpec) -> String {
    let (language, title) = (&spec.language, &spec.title);
    let text = spec.text.as_deref().unwrap_or_default();
    format!("<html lang=\"{language}\"><h1>{title}</h1><p>{text}</p></html>")
}
