//! From changes of objects to the objects that are to be reconciled.

use std::sync::Arc;

use futures::{
    FutureExt, StreamExt,
    future::BoxFuture,
    stream::{self, BoxStream},
};
use kube::runtime::{
    controller::{ReconcileReason, ReconcileRequest},
    reflector::ObjectRef,
};

use super::Retry;
use crate::store::{Change, Kind, Store};

/// What is to be reconciled.
pub(super) type Requests<K> = BoxStream<'static, ReconcileRequest<K>>;

/// A store whose changes concern objects of kind `K`.
pub(super) trait Related<K: Kind>: Send + Sync {
    /// Waits until all of its objects are known.
    fn synced(&self) -> BoxFuture<'_, ()>;

    /// The objects that its changes concern, from now on.
    fn requests(&self, of: &Store<K>) -> Requests<K>;
}

/// Objects of another kind, and what they concern.
pub(super) struct Mapped<O: Kind, M> {
    pub(super) store: Store<O>,
    pub(super) mapper: Arc<M>,
}

impl<K, O, M> Related<K> for Mapped<O, M>
where
    K: Kind,
    O: Kind,
    M: Fn(&O) -> Vec<ObjectRef<K>> + Send + Sync + 'static,
{
    fn synced(&self) -> BoxFuture<'_, ()> {
        self.store.synced().boxed()
    }

    fn requests(&self, of: &Store<K>) -> Requests<K> {
        let (of, mapper) = (of.clone(), Arc::clone(&self.mapper));
        let requests = move |change| {
            let (concerned, by) = match change {
                Change::Applied { now, before } => {
                    let mut concerned = mapper(&now);
                    // What an object has left is concerned as well.
                    let left = before.iter().flat_map(|before| mapper(before));
                    for other in left.collect::<Vec<_>>() {
                        if !concerned.contains(&other) {
                            concerned.push(other);
                        }
                    }
                    (concerned, now)
                }
                Change::Deleted(gone) => (mapper(&gone), gone),
            };
            stream::iter(known(&of, &concerned, &*by))
        };
        self.store.changes().flat_map(requests).boxed()
    }
}

/// Requests for those objects that are there: others ask for themselves as soon as they are.
///
/// The references come from the objects found. Owner references and mappers may name a namespace for a kind that is in none, and kube
/// takes that for another object, which would be reconciled at the same time.
fn known<K: Kind, O: Kind>(
    of: &Store<K>,
    concerned: &[ObjectRef<K>],
    by: &O,
) -> Vec<ReconcileRequest<K>> {
    let request = |object: Arc<K>| ReconcileRequest {
        obj_ref: reference(&*object),
        reason: ReconcileReason::RelatedObjectUpdated {
            obj_ref: Box::new(reference(by).erase()),
        },
    };
    concerned
        .iter()
        .filter_map(|key| of.find(key))
        .map(request)
        .collect()
}

/// What kube's scheduler keeps of an object, for as long as it is to be reconciled again: not its version and uid, as with `from_obj`,
/// which are half of it and which nobody reads.
fn reference<K: Kind>(object: &K) -> ObjectRef<K> {
    let meta = object.meta();
    named(
        meta.name.as_deref().unwrap_or_default(),
        meta.namespace.as_deref(),
    )
}

fn named<K: Kind>(name: &str, namespace: Option<&str>) -> ObjectRef<K> {
    let reference = ObjectRef::new(name);
    match namespace {
        Some(namespace) => reference.within(namespace),
        None => reference,
    }
}

/// The owners of kind `K`, in the namespace of the object. The version in a reference is that of the day it was written: it does not count.
pub(super) fn owners<K: Kind, C: Kind>(child: &C) -> Vec<ObjectRef<K>> {
    let meta = child.meta();
    let namespace = meta.namespace.as_deref();
    let owners = meta.owner_references.iter().flatten();
    owners
        .filter(|owner| {
            let (group, _) = owner.api_version.split_once('/').unwrap_or_default();
            owner.kind == K::kind(&()) && group == K::group(&())
        })
        .map(|owner| named(&owner.name, namespace))
        .collect()
}

/// All objects of a store, and each again when it changes. The failures of those that are gone are forgotten.
pub(super) fn itself<K: Kind>(store: &Store<K>, retry: Arc<Retry<K>>) -> Requests<K> {
    let request = move |change| {
        let request = match change {
            Change::Applied { now, .. } => Some(ReconcileRequest {
                obj_ref: reference(&*now),
                reason: ReconcileReason::ObjectUpdated,
            }),
            Change::Deleted(gone) => {
                retry.forget(&ObjectRef::from_obj(&*gone));
                None
            }
        };
        std::future::ready(request)
    };
    store.subscribe().filter_map(request).boxed()
}
