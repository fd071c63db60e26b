// SPDX-License-Identifier: Apache-2.0

//! Reconciles Account objects.

use std::sync::Arc;

use kb::Manager;
use kb::controller::{Action, Cleanup, Controller, Error};
use kb::objects::{Objects, Readiness};
use tracing::debug;

use finalizer_api::v1::Account;

/// Controller name in logs, metrics and events.
const NAME: &str = "account";

/// Delays the deletion of objects until `cleanup` is done.
const FINALIZER: &str = "bank.example.com/account";

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
    let accounts = manager.store::<Account>();
    let controller = Controller::new(NAME, &accounts)
        .finalizer(FINALIZER, manager.objects(), cleanup)
        .report_errors(manager.objects());
    manager.add_controller(controller, reconcile, context);
}

/// Moves the cluster toward the desired state of the object.
///
/// Must be idempotent: it runs after any change to the object. Errors are reported in the status and
/// as events, and retried with exponential backoff unless terminal.
#[kb::rbac("bank.example.com/accounts": list, watch, patch)]
#[kb::rbac("bank.example.com/accounts/status": patch)]
#[kb::rbac("events.k8s.io/events": create, patch, reason = "to report errors")]
pub async fn reconcile(account: Arc<Account>, context: Arc<Context>) -> Result<Action, Error> {
    debug!("reconciling");

    // Add your reconcile logic here.

    let generation = account.metadata.generation;
    let mut status = account.status.clone().unwrap_or_default();
    status.observed_generation = generation;
    Readiness::default().set_on(&mut status.conditions, generation);
    context.objects.patch_status(&*account, &status).await?;
    Ok(Action::await_change())
}

/// Cleans up what Kubernetes does not garbage-collect, before an object is deleted.
///
/// Must be idempotent: it is retried after errors, and after a restart of the operator.
pub async fn cleanup(_account: Arc<Account>, _context: Arc<Context>) -> Result<Cleanup, Error> {
    // Add your cleanup logic here.

    Ok(Cleanup::Done)
}
