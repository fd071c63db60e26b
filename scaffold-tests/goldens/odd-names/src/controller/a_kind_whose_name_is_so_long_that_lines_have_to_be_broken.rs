// SPDX-License-Identifier: Apache-2.0

//! Reconciles AKindWhoseNameIsSoLongThatLinesHaveToBeBroken objects.

use std::{sync::Arc, time::Duration};

use kb::Manager;
use kb::controller::{Action, Controller, Error};
use kb::objects::{EventRecorder, EventType, Objects, Owner, conditions};
use kb::store::Store;
use tracing::debug;

use odd_names_api::v1;
use odd_names_api::v1::Metric;

/// Controller name in logs, metrics and events.
const NAME: &str = "akindwhosenameissolongthatlineshavetobebroken";

/// Shared state of the reconciler.
pub struct Context {
    /// Applies owned objects and patches the status.
    pub objects: Objects,
    /// Publishes Kubernetes events.
    pub recorder: EventRecorder,
    /// Cached Metrics.
    pub metrics: Store<Metric>,
}

/// Registers the controller with the manager.
pub fn register(manager: &Manager) {
    let store = manager.store::<v1::AKindWhoseNameIsSoLongThatLinesHaveToBeBroken>();
    let metrics = manager.store::<Metric>();
    let controller = Controller::new(NAME, &store).owns(&metrics);
    let context = Context {
        objects: manager.objects(),
        recorder: manager.event_recorder(NAME),
        metrics,
    };
    manager.add_controller(controller, reconcile, context);
}

/// Moves the cluster toward the desired state of `object`.
///
/// Must be idempotent: it runs after changes to the object or its owned objects, which may be
/// coalesced, and periodically. Errors are retried with exponential backoff. Objects being deleted
/// have `metadata.deletion_timestamp` set.
#[kb::rbac(
    groups = "odd.k8s.io",
    resources = "akindwhosenameissolongthatlineshavetobebrokens",
    verbs = "list;watch",
    reason = "to reconcile AKindWhoseNameIsSoLongThatLinesHaveToBeBrokens"
)]
#[kb::rbac(
    groups = "odd.k8s.io",
    resources = "akindwhosenameissolongthatlineshavetobebrokens/status",
    verbs = "patch",
    reason = "to update the status of AKindWhoseNameIsSoLongThatLinesHaveToBeBrokens"
)]
#[kb::rbac(
    groups = "events.k8s.io",
    resources = "events",
    verbs = "create;patch",
    reason = "to publish events about AKindWhoseNameIsSoLongThatLinesHaveToBeBrokens"
)]
#[kb::rbac(
    groups = "odd.k8s.io",
    resources = "akindwhosenameissolongthatlineshavetobebrokens/finalizers",
    verbs = "update",
    reason = "to set blockOwnerDeletion on owned objects"
)]
#[kb::rbac(
    groups = "odd.k8s.io",
    resources = "metrics",
    verbs = "get;list;watch;create;patch",
    reason = "to apply Metrics owned by AKindWhoseNameIsSoLongThatLinesHaveToBeBrokens"
)]
pub async fn reconcile(
    object: Arc<v1::AKindWhoseNameIsSoLongThatLinesHaveToBeBroken>,
    context: Arc<Context>,
) -> Result<Action, Error> {
    debug!("reconciling");

    // Owned objects are garbage-collected; nothing to clean up.
    if object.metadata.deletion_timestamp.is_some() {
        return Ok(Action::await_change());
    }
    let owner = Owner::of(&*object)?;
    if let Some(desired) = desired_metric(&object) {
        context
            .objects
            .apply(&owner, desired, &context.metrics)
            .await?;
    }

    let generation = object.metadata.generation;
    let mut status = object.status.clone().unwrap_or_default();
    status.observed_generation = generation;
    // To report actual readiness, inspect the status of the live objects that `apply` returns.
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

/// Returns the desired Metric, or `None` if there should be none.
///
/// `None` does not delete an existing object. To delete it, call `Objects::prune` and add the
/// `delete` verb to the RBAC rule.
fn desired_metric(_object: &v1::AKindWhoseNameIsSoLongThatLinesHaveToBeBroken) -> Option<Metric> {
    None
}
