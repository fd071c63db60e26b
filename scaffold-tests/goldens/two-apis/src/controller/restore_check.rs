// SPDX-License-Identifier: MIT

//! Reconciles Backup objects.

use std::{sync::Arc, time::Duration};

use kb::Manager;
use kb::controller::{Action, Controller, Error};
use kube::Client;
use tracing::debug;

use two_apis_api::v1;

/// What logs, metrics and events call this controller.
const NAME: &str = "restore-check";

/// What reconciling takes.
pub struct Context {
    /// The Kubernetes API, with the operator's own permissions.
    pub client: Client,
}

/// Starts to reconcile every Backup when it changes.
pub fn start(manager: &Manager) {
    let reconciled = manager.store::<v1::Backup>();
    let controller = Controller::new(NAME, &reconciled);
    let context = Context {
        client: manager.client(),
    };
    manager.add_controller(controller, reconcile, context);
}

/// Brings the cluster to what `object` asks for.
///
/// It is called after every change, and again for what is done already: change only what differs. Objects that are being
/// deleted come here, too: they have a `metadata.deletion_timestamp`. After an error it is called again, later and later.
#[kb::rbac(
    groups = "fleet.example.com",
    resources = "backups",
    verbs = "list;watch",
    reason = "Backup is reconciled"
)]
pub async fn reconcile(_object: Arc<v1::Backup>, _context: Arc<Context>) -> Result<Action, Error> {
    debug!("reconciling");

    // Your logic goes here.

    Ok(Action::requeue(Duration::from_secs(300)))
}
