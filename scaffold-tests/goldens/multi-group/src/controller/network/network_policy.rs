// SPDX-License-Identifier: Apache-2.0

//! Reconciles NetworkPolicy objects.

use std::{sync::Arc, time::Duration};

use kb::Manager;
use kb::controller::{Action, Controller, Error};
use kb::objects::{EventRecorder, EventType, Objects, conditions};
use tracing::debug;

use multi_group_api::network::v1;

/// Controller name in logs, metrics and events.
const NAME: &str = "network-networkpolicy";

/// Shared state of the reconciler.
pub struct Context {
    /// Patches the status.
    pub objects: Objects,
    /// Publishes Kubernetes events.
    pub recorder: EventRecorder,
}

/// Registers the controller with the manager.
pub fn register(manager: &Manager) {
    let network_policies = manager.store::<v1::NetworkPolicy>();
    let controller = Controller::new(NAME, &network_policies);
    let context = Context {
        objects: manager.objects(),
        recorder: manager.event_recorder(NAME),
    };
    manager.add_controller(controller, reconcile, context);
}

/// Moves the cluster toward the desired state of `object`.
///
/// Must be idempotent: it runs after changes to the object, which may be coalesced, and periodically.
/// Errors are retried with exponential backoff. Objects being deleted have
/// `metadata.deletion_timestamp` set.
#[kb::rbac(
    groups = "network.example.com",
    resources = "networkpolicies",
    verbs = "list;watch",
    reason = "to reconcile NetworkPolicies"
)]
#[kb::rbac(
    groups = "network.example.com",
    resources = "networkpolicies/status",
    verbs = "patch",
    reason = "to update the status of NetworkPolicies"
)]
#[kb::rbac(
    groups = "events.k8s.io",
    resources = "events",
    verbs = "create;patch",
    reason = "to publish events about NetworkPolicies"
)]
pub async fn reconcile(
    object: Arc<v1::NetworkPolicy>,
    context: Arc<Context>,
) -> Result<Action, Error> {
    debug!("reconciling");

    // Add your reconcile logic here.

    let generation = object.metadata.generation;
    let mut status = object.status.clone().unwrap_or_default();
    status.observed_generation = generation;
    let message = "reconciled successfully";
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
