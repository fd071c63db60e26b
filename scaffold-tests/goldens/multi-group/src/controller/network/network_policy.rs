// SPDX-License-Identifier: Apache-2.0

//! Reconciles NetworkPolicy objects.

use std::sync::Arc;

use kb::Manager;
use kb::controller::{Action, Controller, Error};
use kb::objects::{Objects, Readiness};
use tracing::debug;

use multi_group_api::network::v1::NetworkPolicy;

/// Controller name in logs, metrics and events.
const NAME: &str = "network-networkpolicy";

/// Shared state of the reconciler.
pub struct Context {
    /// Patches the status.
    pub objects: Objects,
}

/// Registers the controller with the manager.
pub fn register(manager: &Manager) {
    let context = Context {
        objects: manager.objects(),
    };
    let network_policies = manager.store::<NetworkPolicy>();
    let controller = Controller::new(NAME, &network_policies).report_errors(manager.objects());
    manager.add_controller(controller, reconcile, context);
}

/// Moves the cluster toward the desired state of the object.
///
/// Must be idempotent: it runs after any change to the object. Errors are reported in the status and
/// as events, and retried with exponential backoff unless terminal.
#[kb::rbac("network.example.com/networkpolicies": list, watch)]
#[kb::rbac("network.example.com/networkpolicies/status": patch)]
#[kb::rbac("events.k8s.io/events": create, patch, reason = "to report errors")]
pub async fn reconcile(
    network_policy: Arc<NetworkPolicy>,
    context: Arc<Context>,
) -> Result<Action, Error> {
    debug!("reconciling");

    // Add your reconcile logic here.

    let generation = network_policy.metadata.generation;
    let mut status = network_policy.status.clone().unwrap_or_default();
    status.observed_generation = generation;
    Readiness::default().set_on(&mut status.conditions, generation);
    context
        .objects
        .patch_status(&*network_policy, &status)
        .await?;
    Ok(Action::await_change())
}
