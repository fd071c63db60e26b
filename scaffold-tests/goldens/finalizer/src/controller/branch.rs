// SPDX-License-Identifier: Apache-2.0

//! Reconciles Branch objects.

use std::sync::Arc;

use k8s_openapi::api::core::v1::ConfigMap;
use kb::Manager;
use kb::controller::{Action, Cleanup, Controller, Error};
use kb::objects::{Objects, Owner, Readiness};
use kb::store::Store;
use tracing::debug;

use finalizer_api::v1::Branch;

/// Controller name in logs, metrics and events.
const NAME: &str = "branch";

/// Delays the deletion of objects until `cleanup` is done.
const FINALIZER: &str = "bank.example.com/branch";

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
    let branches = manager.store::<Branch>();
    let controller = Controller::new(NAME, &branches)
        .owns(&context.config_maps)
        .finalizer(FINALIZER, manager.objects(), cleanup)
        .report_errors(manager.objects());
    manager.add_controller(controller, reconcile, context);
}

/// Moves the cluster toward the desired state of the object.
///
/// Must be idempotent: it runs after any change to the object or its owned objects. Errors are
/// reported in the status and as events, and retried with exponential backoff unless terminal.
#[kb::rbac("bank.example.com/branches": list, watch, patch)]
#[kb::rbac("bank.example.com/branches/status": patch)]
#[kb::rbac("events.k8s.io/events": create, patch, reason = "to report errors")]
#[kb::rbac("bank.example.com/branches/finalizers": update, reason = "to set blockOwnerDeletion")]
#[kb::rbac("core/configmaps": get, list, watch, create, patch)]
pub async fn reconcile(branch: Arc<Branch>, context: Arc<Context>) -> Result<Action, Error> {
    debug!("reconciling");

    let owner = Owner::of(&*branch)?;
    let mut readiness = Readiness::default();

    let desired = desired_config_map(&branch)?;
    let applied = context
        .objects
        .apply(&owner, desired, &context.config_maps)
        .await?;
    readiness.observe(applied.object());

    let generation = branch.metadata.generation;
    let mut status = branch.status.clone().unwrap_or_default();
    status.observed_generation = generation;
    readiness.set_on(&mut status.conditions, generation);
    context.objects.patch_status(&*branch, &status).await?;
    Ok(Action::await_change())
}

/// Cleans up what Kubernetes does not garbage-collect, before an object is deleted.
///
/// Must be idempotent: it is retried after errors, and after a restart of the operator.
pub async fn cleanup(_branch: Arc<Branch>, _context: Arc<Context>) -> Result<Cleanup, Error> {
    // Add your cleanup logic here.

    Ok(Cleanup::Done)
}

/// Returns the desired ConfigMap.
fn desired_config_map(_branch: &Branch) -> Result<ConfigMap, Error> {
    Err(Error::not_implemented("ConfigMap"))
}
