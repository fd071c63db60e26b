// SPDX-License-Identifier: Apache-2.0

//! Reconciles AKindWhoseNameIsSoLongThatLinesHaveToBeBroken objects.

use std::sync::Arc;

use kb::Manager;
use kb::controller::{Action, Controller, Error};
use kb::objects::{Objects, Owner, Readiness};
use kb::store::Store;
use tracing::debug;

use odd_names_api::v1::AKindWhoseNameIsSoLongThatLinesHaveToBeBroken;
use odd_names_api::v1::Metric;

/// Controller name in logs, metrics and events.
const NAME: &str = "akindwhosenameissolongthatlineshavetobebroken";

/// Shared state of the reconciler.
pub struct Context {
    /// Applies owned objects and patches the status.
    pub objects: Objects,
    /// Cached Metrics.
    pub metrics: Store<Metric>,
}

/// Registers the controller with the manager.
pub fn register(manager: &Manager) {
    let context = Context {
        objects: manager.objects(),
        metrics: manager.store(),
    };
    let store = manager.store::<AKindWhoseNameIsSoLongThatLinesHaveToBeBroken>();
    let controller = Controller::new(NAME, &store)
        .owns(&context.metrics)
        .report_errors(manager.objects());
    manager.add_controller(controller, reconcile, context);
}

/// Moves the cluster toward the desired state of the object.
///
/// Must be idempotent: it runs after any change to the object or its owned objects. Errors are
/// reported in the status and as events, and retried with exponential backoff unless terminal.
#[kb::rbac("odd.k8s.io/akindwhosenameissolongthatlineshavetobebrokens": list, watch)]
#[kb::rbac("odd.k8s.io/akindwhosenameissolongthatlineshavetobebrokens/status": patch)]
#[kb::rbac("events.k8s.io/events": create, patch, reason = "to report errors")]
#[kb::rbac("odd.k8s.io/akindwhosenameissolongthatlineshavetobebrokens/finalizers": update, reason = "to set blockOwnerDeletion")]
#[kb::rbac("odd.k8s.io/metrics": get, list, watch, create, patch)]
pub async fn reconcile(
    object: Arc<AKindWhoseNameIsSoLongThatLinesHaveToBeBroken>,
    context: Arc<Context>,
) -> Result<Action, Error> {
    debug!("reconciling");

    // Owned objects are garbage-collected; nothing to clean up.
    if object.metadata.deletion_timestamp.is_some() {
        return Ok(Action::await_change());
    }

    let owner = Owner::of(&*object)?;
    let mut readiness = Readiness::default();

    let desired = desired_metric(&object)?;
    let applied = context
        .objects
        .apply(&owner, desired, &context.metrics)
        .await?;
    readiness.observe(applied.object());

    let generation = object.metadata.generation;
    let mut status = object.status.clone().unwrap_or_default();
    status.observed_generation = generation;
    readiness.set_on(&mut status.conditions, generation);
    context.objects.patch_status(&*object, &status).await?;
    Ok(Action::await_change())
}

/// Returns the desired Metric.
fn desired_metric(
    _object: &AKindWhoseNameIsSoLongThatLinesHaveToBeBroken,
) -> Result<Metric, Error> {
    Err(Error::not_implemented("Metric"))
}
