//! From changes of objects to the objects that are to be reconciled.

use std::sync::Arc;

use futures::{
    StreamExt,
    stream::{self, BoxStream},
};
use kube::runtime::reflector::ObjectRef;

use tracing::error;

use super::{Retry, lanes::Lane};
use crate::{
    metrics::ControllerMetrics,
    panics,
    store::{CachedResource, Change, ObjectKey, Store, SyncStates},
};

/// What is to be reconciled.
pub(super) type Requests = BoxStream<'static, (ObjectKey, Lane)>;

/// A store whose changes concern objects of kind `K`.
pub(super) trait Related<K: CachedResource>: Send + Sync {
    /// How far the first list of the store is.
    fn sync_states(&self) -> SyncStates;

    /// The objects that its changes concern, from now on.
    fn requests(&self, of: &Store<K>, metrics: &ControllerMetrics) -> Requests;
}

/// Objects of another kind, and what they concern.
pub(super) struct Mapped<O: CachedResource, M> {
    /// Controller name in logs.
    pub(super) controller: Arc<str>,
    pub(super) store: Store<O>,
    pub(super) mapper: Arc<M>,
}

impl<K, O, M> Related<K> for Mapped<O, M>
where
    K: CachedResource,
    O: CachedResource,
    M: Fn(&O) -> Vec<ObjectRef<K>> + Send + Sync + 'static,
{
    fn sync_states(&self) -> SyncStates {
        self.store.sync_states()
    }

    fn requests(&self, of: &Store<K>, metrics: &ControllerMetrics) -> Requests {
        let (of, metrics) = (of.clone(), metrics.clone());
        let (mapper, controller) = (Arc::clone(&self.mapper), Arc::clone(&self.controller));
        let mapper = move |object: &O| {
            panics::catch(|| mapper(object)).unwrap_or_else(|panic| {
                metrics.mapper_panicked();
                error!(
                    %controller, kind = %O::kind(&()), object = %ObjectKey::of(object.meta()), panic,
                    "mapper panicked, ignoring the change"
                );
                Vec::new()
            })
        };
        let requests = move |change| {
            let concerned = match change {
                Change::Applied { new, old } => {
                    let mut concerned = mapper(&new);
                    // What an object has left is concerned as well.
                    let left = old.iter().flat_map(|old| mapper(old));
                    for other in left.collect::<Vec<_>>() {
                        if !concerned.contains(&other) {
                            concerned.push(other);
                        }
                    }
                    concerned
                }
                Change::Deleted(gone) => mapper(&gone),
            };
            // Those that are there: others ask for themselves as soon as they are.
            let known = concerned.iter().filter_map(|reference| of.named(reference));
            stream::iter(known.map(changed).collect::<Vec<_>>())
        };
        self.store.changes().flat_map(requests).boxed()
    }
}

/// A store that reconcile reads, and whose changes concern nobody.
impl<K: CachedResource, O: CachedResource> Related<K> for Store<O> {
    fn sync_states(&self) -> SyncStates {
        self.sync_states()
    }

    fn requests(&self, _: &Store<K>, _: &ControllerMetrics) -> Requests {
        stream::empty().boxed()
    }
}

fn changed(name: ObjectKey) -> (ObjectKey, Lane) {
    (name, Lane::Changed)
}

/// The owners of kind `K`, in the namespace of the object. The version in a reference is that of the day it was written: it does not count.
pub(super) fn owners<K: CachedResource, C: CachedResource>(child: &C) -> Vec<ObjectRef<K>> {
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

/// All objects of a store, and each again when it changes. The failures of those that are gone are forgotten.
pub(super) fn itself<K: CachedResource>(store: &Store<K>, retry: Arc<Retry<K>>) -> Requests {
    let (there, changes) = store.names_and_changes();
    let request = move |(name, change): (ObjectKey, Change<K>)| {
        let request = match change {
            Change::Applied { .. } => Some(changed(name)),
            Change::Deleted(_) => {
                retry.forget_named(&name);
                None
            }
        };
        std::future::ready(request)
    };
    let there = there.into_iter().map(|name| (name, Lane::Routine));
    stream::iter(there)
        .chain(changes.filter_map(request))
        .boxed()
}
