// SPDX-License-Identifier: Apache-2.0

//! Reconciles Widget objects.

use std::sync::Arc;

use kb::Manager;
use kb::controller::{Action, Controller, Error};
use kube::Client;
use tracing::debug;

use widgets_api::v1::Widget;

/// Controller name in logs and metrics.
const NAME: &str = "widget";

/// Shared state of the reconciler.
pub struct Context {
    /// Kubernetes API client.
    pub client: Client,
}

/// Registers the controller with the manager.
pub fn register(manager: &Manager) {
    let context = Context {
        client: manager.client(),
    };
    let widgets = manager.store::<Widget>();
    let controller = Controller::new(NAME, &widgets);
    manager.add_controller(controller, reconcile, context);
}

/// Moves the cluster toward the desired state of the object.
///
/// Must be idempotent: it runs after any change to the object. Errors are retried with exponential
/// backoff unless terminal.
#[kb::rbac("factory.example.org/widgets": list, watch)]
pub async fn reconcile(_widget: Arc<Widget>, _context: Arc<Context>) -> Result<Action, Error> {
    debug!("reconciling");

    // Add your reconcile logic here.

    Ok(Action::await_change())
}
