// SPDX-License-Identifier: Apache-2.0

//! Reconciles CloudManager objects: applies their components in order and prunes those that were renamed.

mod components;

use std::{sync::Arc, time::Duration};

use k8s_openapi::api::apps::v1::{Deployment, StatefulSet};
use k8s_openapi::api::core::v1::Secret;
use kb::Manager;
use kb::controller::{Action, Controller, Error};
use kb::objects::{EventRecorder, EventType, Objects, Owner};
use kb::store::{CachedResource, Store};
use kube::ResourceExt;
use tracing::debug;

use cloudmanager_api::v1::{CloudManager, CloudManagerSpec, CloudManagerStatus, Phase};

/// Controller name in logs, metrics and events.
const NAME: &str = "cloudmanager";

/// Requeue interval while a component is not ready. A change of its Deployment usually triggers a reconcile earlier.
pub const REQUEUE_AFTER: Duration = Duration::from_secs(10);

/// Shared state of the reconciler.
pub struct Context {
    /// Applies owned objects and patches the status.
    pub objects: Objects,
    /// Publishes Kubernetes events.
    pub recorder: EventRecorder,
    /// Cached Deployments.
    pub deployments: Store<Deployment>,
    /// Cached StatefulSets.
    pub stateful_sets: Store<StatefulSet>,
    /// Cached Secrets.
    pub secrets: Store<Secret>,
}

/// Registers the controller with the manager.
pub fn register(manager: &Manager) {
    let context = Context {
        objects: manager.objects(),
        recorder: manager.event_recorder(NAME),
        deployments: manager.store(),
        stateful_sets: manager.store(),
        secrets: manager.store(),
    };
    let cloud_managers = manager.store::<CloudManager>();
    let controller = Controller::new(NAME, &cloud_managers)
        .owns(&context.deployments)
        .owns(&context.stateful_sets)
        .owns(&context.secrets)
        .report_errors(manager.objects());
    manager.add_controller(controller, reconcile, context);
}

/// Moves the cluster toward the desired state of the object.
///
/// Idempotent: `apply` and `patch_status` send nothing if the cached objects are up to date.
#[kb::rbac("cloudmanagercontroller.huayun.com/cloudmanagers": list, watch)]
#[kb::rbac("cloudmanagercontroller.huayun.com/cloudmanagers/status": patch)]
#[kb::rbac("events.k8s.io/events": create, patch, reason = "to report errors and progress")]
#[kb::rbac("cloudmanagercontroller.huayun.com/cloudmanagers/finalizers": update, reason = "to set blockOwnerDeletion")]
#[kb::rbac("apps/deployments": get, list, watch, create, patch, delete, reason = "to apply and prune components")]
#[kb::rbac("apps/statefulsets": get, list, watch, create, patch, delete, reason = "to apply and prune components")]
#[kb::rbac("core/secrets": get, list, watch, create, patch)]
pub async fn reconcile(
    cloud_manager: Arc<CloudManager>,
    context: Arc<Context>,
) -> Result<Action, Error> {
    debug!("reconciling");

    // Owned objects are garbage-collected; nothing to clean up.
    if cloud_manager.metadata.deletion_timestamp.is_some() {
        return Ok(Action::await_change());
    }
    let phase = build(&cloud_manager, &context).await?;
    let CloudManagerSpec {
        front,
        identity,
        db,
    } = &cloud_manager.spec;
    let named = [&front.deployment.name, &identity.deployment.name];
    prune(&cloud_manager, &context, &context.deployments, &named).await?;
    let named = [&db.stateful_set.name];
    prune(&cloud_manager, &context, &context.stateful_sets, &named).await?;

    let status = CloudManagerStatus {
        observed_generation: cloud_manager.metadata.generation,
        phase: Some(phase),
    };
    let patched = context
        .objects
        .patch_status(&*cloud_manager, &status)
        .await?;
    if phase != Phase::Ready {
        return Ok(Action::requeue(REQUEUE_AFTER));
    }
    if patched.is_some() {
        let note = "All components are ready";
        context.recorder.publish(
            &*cloud_manager,
            EventType::Normal,
            "Updated",
            "Reconcile",
            note,
        );
    }
    Ok(Action::requeue(Duration::from_secs(300)))
}

/// Applies the components in order, up to the first that is not ready, and returns the phase.
async fn build(cloud_manager: &CloudManager, context: &Context) -> Result<Phase, Error> {
    let Context {
        objects,
        deployments,
        stateful_sets,
        secrets,
        ..
    } = context;
    let owner = Owner::of(cloud_manager)?;

    let front = objects.apply(&owner, components::front(cloud_manager), deployments);
    if !components::is_deployment_ready(front.await?.object()) {
        return Ok(Phase::Front);
    }
    let identity = objects.apply(&owner, components::identity(cloud_manager), deployments);
    if !components::is_deployment_ready(identity.await?.object()) {
        return Ok(Phase::Identity);
    }
    let secret = objects.apply(&owner, components::secret(cloud_manager), secrets);
    secret.await?;
    let database = objects.apply(&owner, components::database(cloud_manager), stateful_sets);
    if !components::is_stateful_set_ready(database.await?.object()) {
        return Ok(Phase::Database);
    }
    Ok(Phase::Ready)
}

/// Deletes owned objects that are not in `named`, and publishes an event for each.
///
/// The store indexes objects by owner, so the lookup does not depend on the size of the cache.
async fn prune<C: CachedResource>(
    cloud_manager: &CloudManager,
    context: &Context,
    store: &Store<C>,
    named: &[&String],
) -> Result<(), Error> {
    let owner = Owner::of(cloud_manager)?;
    for child in store.owned_by(owner.uid()) {
        let name = child.name_any();
        let keep = |_: &C| named.contains(&&name);
        let deleted = context.objects.prune_from(&owner, [child], keep).await?;
        if deleted > 0 {
            let note = format!("Deleted {} {name}", C::kind(&()));
            context
                .recorder
                .publish(cloud_manager, EventType::Normal, "Deleted", "Delete", note);
        }
    }
    Ok(())
}
