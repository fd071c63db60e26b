//! Sources of reconcile requests: maps changes of objects to the objects to reconcile.

use std::sync::Arc;

use futures::{
    StreamExt,
    stream::{self, BoxStream},
};
use kube::runtime::reflector::ObjectRef;
use tracing::error;

use super::{RetryPolicy, fair_queue::Priority};
use crate::{
    metrics::ControllerMetrics,
    panics,
    store::{CachedResource, Change, ObjectKey, Store, SyncStates},
};

/// Objects to reconcile, as they are requested.
pub(super) type Requests = BoxStream<'static, (ObjectKey, Priority)>;

/// Store whose changes trigger reconciles of kind `K`.
pub(super) trait Source<K: CachedResource>: Send + Sync {
    /// Returns whether the initial list of the store is complete.
    fn sync_states(&self) -> SyncStates;

    /// Returns the objects to reconcile for each change from now on.
    fn requests(&self, primary: &Store<K>, metrics: &ControllerMetrics) -> Requests;
}

/// Store with a mapper from its objects to those of the controller.
pub(super) struct MappedSource<O: CachedResource, M> {
    /// Controller name in logs.
    pub(super) controller: Arc<str>,
    pub(super) store: Store<O>,
    pub(super) mapper: Arc<M>,
}

impl<K, O, M> Source<K> for MappedSource<O, M>
where
    K: CachedResource,
    O: CachedResource,
    M: Fn(&O) -> Vec<ObjectRef<K>> + Send + Sync + 'static,
{
    fn sync_states(&self) -> SyncStates {
        self.store.sync_states()
    }

    fn requests(&self, primary: &Store<K>, metrics: &ControllerMetrics) -> Requests {
        let (primary, metrics) = (primary.clone(), metrics.clone());
        let (mapper, controller) = (Arc::clone(&self.mapper), Arc::clone(&self.controller));
        let mapper = move |object: &O| {
            panics::catch(|| mapper(object)).unwrap_or_else(|panic| {
                metrics.mapper_panicked();
                error!(
                    %controller, kind = %O::kind(&()), object = %ObjectKey::of(object.meta()), panic,
                    "mapper panicked, ignoring event"
                );
                Vec::new()
            })
        };
        let requests = move |change| {
            let targets = match change {
                Change::Applied { new, old } => {
                    let mut targets = mapper(&new);
                    // Objects that are no longer referenced are reconciled as well.
                    let previous = old.iter().flat_map(|old| mapper(old));
                    for target in previous.collect::<Vec<_>>() {
                        if !targets.contains(&target) {
                            targets.push(target);
                        }
                    }
                    targets
                }
                Change::Deleted(gone) => mapper(&gone),
            };
            // Missing objects are queued when they are created.
            let existing = targets
                .iter()
                .filter_map(|reference| primary.key_of(reference));
            stream::iter(existing.map(on_change).collect::<Vec<_>>())
        };
        self.store.changes().flat_map(requests).boxed()
    }
}

/// Store that the reconciler only reads.
impl<K: CachedResource, O: CachedResource> Source<K> for Store<O> {
    fn sync_states(&self) -> SyncStates {
        self.sync_states()
    }

    fn requests(&self, _: &Store<K>, _: &ControllerMetrics) -> Requests {
        stream::empty().boxed()
    }
}

fn on_change(name: ObjectKey) -> (ObjectKey, Priority) {
    (name, Priority::Normal)
}

/// Returns the owners of kind `K`. The version of an owner reference is ignored: it may be outdated.
pub(super) fn owners_of_kind<K: CachedResource, C: CachedResource>(child: &C) -> Vec<ObjectRef<K>> {
    let meta = child.meta();
    let namespace = meta.namespace.as_deref();
    let owners = meta.owner_references.iter().flatten();
    owners
        .filter(|owner| {
            let (group, _) = owner.api_version.split_once('/').unwrap_or_default();
            owner.kind == K::kind(&()) && group == K::group(&())
        })
        .map(|owner| {
            let reference = ObjectRef::new(&owner.name);
            match namespace {
                Some(namespace) => reference.within(namespace),
                None => reference,
            }
        })
        .collect()
}

/// Requests all objects of a store, then each that changes. Resets the failure count of deleted objects.
pub(super) fn own_requests<K: CachedResource>(
    store: &Store<K>,
    retry: Arc<RetryPolicy<K>>,
) -> Requests {
    let (existing, changes) = store.keys_and_changes();
    let request = move |(name, change): (ObjectKey, Change<K>)| {
        let request = match change {
            Change::Applied { .. } => Some(on_change(name)),
            Change::Deleted(_) => {
                retry.forget_named(&name);
                None
            }
        };
        std::future::ready(request)
    };
    let existing = existing.into_iter().map(|name| (name, Priority::Low));
    stream::iter(existing)
        .chain(changes.filter_map(request))
        .boxed()
}
