// SPDX-License-Identifier: Apache-2.0

//! Reconciles ConfigMap objects.

use std::{future, sync::Arc, time::Duration};

use futures::StreamExt;
use k8s_openapi::api::core::v1;
use kube::{
    Api, ResourceExt,
    runtime::{
        Controller,
        controller::{self, Action, Config},
        watcher,
    },
};
use tokio::task::JoinSet;
use tracing::{debug, warn};

use super::super::{Context, Error};

/// What metrics, and the fields it writes, call this controller.
const NAME: &str = "core-configmap";

/// Starts to reconcile every ConfigMap when it changes, until the operator stops.
pub fn start(context: &Context, tasks: &mut JoinSet<anyhow::Result<()>>) {
    let api: Api<v1::ConfigMap> = Api::all(context.client.clone());
    let metrics = context.metrics.clone();
    let reconciled = Controller::new(api, watcher::Config::default())
        .with_config(Config::default().concurrency(8))
        .graceful_shutdown_on(context.shutdown.clone().cancelled_owned())
        .run(reconcile, retry, Arc::new(context.clone()))
        .for_each(move |result| {
            match result {
                Ok(_) => metrics.reconciled(NAME, true),
                Err(controller::Error::ReconcilerFailed(error, object)) => {
                    metrics.reconciled(NAME, false);
                    warn!(%object, %error, "not reconciled");
                }
                // Deleted before its turn came.
                Err(controller::Error::ObjectNotFound(_)) => {}
                Err(error) => warn!(controller = NAME, %error, "cannot watch: no CRD or no rule?"),
            }
            future::ready(())
        });
    tasks.spawn(async {
        reconciled.await;
        Ok(())
    });
}

/// Brings the cluster to what `object` asks for.
///
/// It is called after every change, and again for what is done already: change only what differs. Objects that are being
/// deleted come here, too: they have a `metadata.deletion_timestamp`.
pub async fn reconcile(
    object: Arc<v1::ConfigMap>,
    _context: Arc<Context>,
) -> Result<Action, Error> {
    let name = object.name_any();
    let namespace = object.namespace().unwrap_or_default();
    debug!(namespace, name, "reconciling");

    // Your logic goes here.

    Ok(Action::requeue(Duration::from_secs(300)))
}

/// Says when to try again after an error.
fn retry(_object: Arc<v1::ConfigMap>, _error: &Error, _context: Arc<Context>) -> Action {
    Action::requeue(Duration::from_secs(10))
}
