// SPDX-License-Identifier: Apache-2.0

//! Reconciles Platform objects.

use std::{future, sync::Arc, time::Duration};

use futures::StreamExt;
use k8s_openapi::api::core::v1::Event;
use k8s_openapi::api::events::v1::Event as EventsV1Event;
use k8s_openapi::api::rbac::v1::ClusterRole;
use kube::{
    Api, ResourceExt,
    api::{Patch, PatchParams},
    runtime::{
        Controller,
        controller::{self, Action, Config},
        watcher,
    },
};
use serde_json::json;
use tokio::task::JoinSet;
use tracing::{debug, warn};

use owns_api::v1alpha1;
use owns_api::v1alpha1::AppService;

use super::{Context, Error};

/// What metrics, and the fields it writes, call this controller.
const NAME: &str = "platform";

/// Starts to reconcile every Platform when it, or something it owns, changes, until the operator stops.
pub fn start(context: &Context, tasks: &mut JoinSet<anyhow::Result<()>>) {
    let api: Api<v1alpha1::Platform> = Api::all(context.client.clone());
    let appservices: Api<AppService> = Api::all(context.client.clone());
    let clusterroles: Api<ClusterRole> = Api::all(context.client.clone());
    let events: Api<Event> = Api::all(context.client.clone());
    let events_v1_event_api: Api<EventsV1Event> = Api::all(context.client.clone());
    let metrics = context.metrics.clone();
    let reconciled = Controller::new(api, watcher::Config::default())
        .owns(appservices, watcher::Config::default())
        .owns(clusterroles, watcher::Config::default())
        .owns(events, watcher::Config::default())
        .owns(events_v1_event_api, watcher::Config::default())
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
    object: Arc<v1alpha1::Platform>,
    context: Arc<Context>,
) -> Result<Action, Error> {
    let name = object.name_any();
    debug!(name, "reconciling");

    // Server-side apply makes an AppService, or changes only what differs. It is deleted with its owner.
    //
    //     let app_service = AppService {
    //         metadata: kube::api::ObjectMeta {
    //             name: Some(name.clone()),
    //             namespace: Some("default".to_owned()),
    //             owner_references: kube::Resource::controller_owner_ref(&*object, &()).map(|owner| vec![owner]),
    //             ..Default::default()
    //         },
    //         // What it shall be goes here.
    //         ..Default::default()
    //     };
    //     Api::<AppService>::namespaced(context.client.clone(), "default")
    //         .patch(
    //             &name,
    //             &kube::api::PatchParams::apply(NAME),
    //             &kube::api::Patch::Apply(&app_service),
    //         )
    //         .await?;
    //
    // Make a ClusterRole in the same way.
    //
    // Make an Event in the same way.
    //
    // Make an Event in the same way.

    let observed = object
        .status
        .as_ref()
        .and_then(|status| status.observed_generation);
    if observed != object.metadata.generation {
        let api: Api<v1alpha1::Platform> = Api::all(context.client.clone());
        let status = v1alpha1::PlatformStatus {
            observed_generation: object.metadata.generation,
            ..Default::default()
        };
        let params = PatchParams {
            field_manager: Some(NAME.to_owned()),
            ..Default::default()
        };
        let patch = Patch::Merge(json!({ "status": status }));
        api.patch_status(&name, &params, &patch).await?;
    }
    Ok(Action::requeue(Duration::from_secs(300)))
}

/// Says when to try again after an error.
fn retry(_object: Arc<v1alpha1::Platform>, _error: &Error, _context: Arc<Context>) -> Action {
    Action::requeue(Duration::from_secs(10))
}
