// SPDX-License-Identifier: Apache-2.0

//! Reconciles CloudManager objects: makes their parts, one after the other, and deletes what is no longer one.

mod parts;

use std::{sync::Arc, time::Duration};

use k8s_openapi::api::apps::v1::{Deployment, StatefulSet};
use k8s_openapi::api::core::v1::Secret;
use kb::Manager;
use kb::controller::{Action, Controller, Error};
use kb::objects::{EventRecorder, EventType, Objects, Owner};
use kb::store::{CachedResource, Store};
use kube::ResourceExt;
use tracing::debug;

use cloudmanager_api::v1;
use cloudmanager_api::v1::Phase;

/// What logs, metrics and events call this controller.
const NAME: &str = "cloudmanager";

/// When to look again at a part that is not ready. Mostly its Deployment says so earlier: it is watched.
pub const WAIT: Duration = Duration::from_secs(10);

/// What reconciling takes.
pub struct Context {
    /// Applies objects and writes the status, with the operator's own permissions.
    pub objects: Objects,
    /// Tells people what was done: `kubectl describe` shows it.
    pub events: EventRecorder,
    /// Every Deployment that the operator sees, as of the last change.
    pub deployments: Store<Deployment>,
    /// Every StatefulSet that the operator sees, as of the last change.
    pub statefulsets: Store<StatefulSet>,
    /// Every Secret that the operator sees, as of the last change.
    pub secrets: Store<Secret>,
}

/// Starts to reconcile every CloudManager when it, or something it owns, changes.
pub fn start(manager: &Manager) {
    let reconciled = manager.store::<v1::CloudManager>();
    let deployments = manager.store::<Deployment>();
    let statefulsets = manager.store::<StatefulSet>();
    let secrets = manager.store::<Secret>();
    let controller = Controller::new(NAME, &reconciled)
        .owns(&deployments)
        .owns(&statefulsets)
        .owns(&secrets);
    let context = Context {
        objects: manager.objects(),
        events: manager.event_recorder(NAME),
        deployments,
        statefulsets,
        secrets,
    };
    manager.add_controller(controller, reconcile, context);
}

/// Brings the cluster to what `object` asks for.
///
/// It is called after every change, and again for what is done already. Nothing is sent then: `apply` and `patch_status` look first.
#[kb::rbac(
    groups = "cloudmanagercontroller.huayun.com",
    resources = "cloudmanagers",
    verbs = "list;watch",
    reason = "CloudManager is reconciled"
)]
#[kb::rbac(
    groups = "cloudmanagercontroller.huayun.com",
    resources = "cloudmanagers/status",
    verbs = "patch",
    reason = "the status of CloudManager is written"
)]
#[kb::rbac(
    groups = "events.k8s.io",
    resources = "events",
    verbs = "create;patch",
    reason = "events tell what was done for CloudManager"
)]
#[kb::rbac(
    groups = "cloudmanagercontroller.huayun.com",
    resources = "cloudmanagers/finalizers",
    verbs = "update",
    reason = "CloudManager is not gone before what it owns"
)]
#[kb::rbac(
    groups = "apps",
    resources = "deployments;statefulsets",
    verbs = "get;list;watch;create;patch;delete",
    reason = "CloudManager owns them, and deletes those that it no longer names"
)]
#[kb::rbac(
    groups = "",
    resources = "secrets",
    verbs = "get;list;watch;create;patch",
    reason = "CloudManager owns Secret"
)]
pub async fn reconcile(
    object: Arc<v1::CloudManager>,
    context: Arc<Context>,
) -> Result<Action, Error> {
    debug!("reconciling");

    // What it owns is deleted with it: there is nothing to do.
    if object.metadata.deletion_timestamp.is_some() {
        return Ok(Action::await_change());
    }
    let phase = build(&object, &context).await?;
    let v1::CloudManagerSpec {
        front,
        identity,
        db,
    } = &object.spec;
    let named = [&front.deployment.name, &identity.deployment.name];
    prune(&object, &context, &context.deployments, &named).await?;
    let named = [&db.stateful_set.name];
    prune(&object, &context, &context.statefulsets, &named).await?;

    let status = v1::CloudManagerStatus {
        observed_generation: object.metadata.generation,
        phase: Some(phase),
    };
    let written = context.objects.patch_status(&*object, &status).await?;
    if phase != Phase::Ready {
        return Ok(Action::requeue(WAIT));
    }
    if written.is_some() {
        let note = "all parts are ready";
        context
            .events
            .publish(&*object, EventType::Normal, "Updated", "Reconcile", note);
    }
    Ok(Action::requeue(Duration::from_secs(300)))
}

/// Makes one part after the other, up to the first that is not ready yet. That one is the phase.
async fn build(object: &v1::CloudManager, context: &Context) -> Result<Phase, Error> {
    let Context {
        objects,
        deployments,
        statefulsets,
        secrets,
        ..
    } = context;
    let owner = Owner::of(object)?;

    let front = objects.apply(&owner, parts::front(object), deployments);
    if !parts::is_deployment_ready(front.await?.object()) {
        return Ok(Phase::Front);
    }
    let identity = objects.apply(&owner, parts::identity(object), deployments);
    if !parts::is_deployment_ready(identity.await?.object()) {
        return Ok(Phase::Identity);
    }
    let secret = objects.apply(&owner, parts::secret(object), secrets);
    secret.await?;
    let database = objects.apply(&owner, parts::database(object), statefulsets);
    if !parts::is_stateful_set_ready(database.await?.object()) {
        return Ok(Phase::Database);
    }
    Ok(Phase::Ready)
}

/// Deletes what the object owns and no longer names, and tells of each.
///
/// The store finds what has an owner by an index, however many objects there are.
async fn prune<C: CachedResource>(
    object: &v1::CloudManager,
    context: &Context,
    store: &Store<C>,
    named: &[&String],
) -> Result<(), Error> {
    let owner = Owner::of(object)?;
    let uid = object.uid().unwrap_or_default();
    for child in store.owned_by(&uid) {
        let name = child.name_any();
        let keep = |_: &C| named.contains(&&name);
        let deleted = context.objects.prune_from(&owner, [child], keep).await?;
        if deleted > 0 {
            let note = format!("deleted {} {name}", C::kind(&()));
            context
                .events
                .publish(object, EventType::Normal, "Deleted", "Delete", note);
        }
    }
    Ok(())
}
