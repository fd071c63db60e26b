//! The objects, their indexes and who listens, behind one lock.
//!
//! The objects themselves lie in kube's reflector store, which `applier` reads and which has a lock of its own. It is written only while
//! this module's lock is held, so whoever reads through this module sees objects and indexes of one moment. What reads kube's
//! store directly may be ahead of the indexes, never behind: look-ups wait for the lock.

use std::sync::{
    Arc, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard,
    atomic::{AtomicUsize, Ordering},
};

use futures::{
    Stream, StreamExt,
    channel::mpsc::{UnboundedSender, unbounded},
    stream,
};
use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;
use kube::runtime::{
    reflector::{self, ObjectRef, store::Writer},
    watcher::Event,
};
use tokio::sync::watch;

use super::{
    Change, Kind,
    index::{Buckets, Keys},
};

/// The index that every store has.
const BY_OWNER: usize = 0;

/// What the handles of one store share.
pub(super) struct Cache<K: Kind> {
    pub(super) reader: reflector::Store<K>,
    guarded: RwLock<Guarded<K>>,
    /// Whether all objects have been listed once. kube's own store wakes only the last of those who wait for that.
    synced: watch::Sender<bool>,
    /// How many objects of the cluster are left out, because they do not fit their type.
    unreadable: AtomicUsize,
}

struct Guarded<K> {
    indexes: Vec<Buckets<K>>,
    subscribers: Vec<UnboundedSender<Change<K>>>,
}

impl<K: Kind> Cache<K> {
    /// An empty cache, and the one who may write it.
    pub(super) fn new() -> (Arc<Self>, CacheWriter<K>) {
        let writer = Writer::default();
        let by_owner = Buckets::new("owner".into(), Box::new(owner_uids));
        let cache = Arc::new(Self {
            reader: writer.as_reader(),
            guarded: RwLock::new(Guarded {
                indexes: vec![by_owner],
                subscribers: Vec::new(),
            }),
            synced: watch::Sender::new(false),
            unreadable: AtomicUsize::new(0),
        });
        let writer = CacheWriter {
            writer,
            cache: Arc::clone(&cache),
        };
        (cache, writer)
    }

    // Only an index' function can panic while the lock is held. That ends the watch; those who read go on with what is there.
    fn read(&self) -> RwLockReadGuard<'_, Guarded<K>> {
        self.guarded.read().unwrap_or_else(PoisonError::into_inner)
    }

    fn write(&self) -> RwLockWriteGuard<'_, Guarded<K>> {
        self.guarded.write().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits until all objects have been listed once.
    pub(super) async fn synced(&self) {
        if self.synced.subscribe().wait_for(|is| *is).await.is_err() {
            // The sender is part of the cache.
            std::future::pending::<()>().await;
        }
    }

    pub(super) fn is_synced(&self) -> bool {
        *self.synced.borrow()
    }

    pub(super) fn unreadable(&self) -> usize {
        self.unreadable.load(Ordering::Relaxed)
    }

    pub(super) fn get(&self, key: &ObjectRef<K>) -> Option<Arc<K>> {
        let _one_moment = self.read();
        self.reader.get(key)
    }

    pub(super) fn owned_by(&self, uid: &str) -> Vec<Arc<K>> {
        self.under(BY_OWNER, uid)
    }

    pub(super) fn under(&self, index: usize, key: &str) -> Vec<Arc<K>> {
        self.read().indexes[index].get(key)
    }

    pub(super) fn index_name(&self, index: usize) -> String {
        self.read().indexes[index].name.clone()
    }

    /// The position of the index of this name. If there is none, it is made of what is there.
    pub(super) fn index(&self, name: String, keys: Keys<K>) -> usize {
        let mut guarded = self.write();
        let found = guarded.indexes.iter().position(|index| index.name == name);
        found.unwrap_or_else(|| {
            let mut index = Buckets::new(name, keys);
            for object in self.reader.state() {
                index.insert(&object);
            }
            guarded.indexes.push(index);
            guarded.indexes.len() - 1
        })
    }

    /// All changes from now on.
    pub(super) fn changes(&self) -> impl Stream<Item = Change<K>> + Send + Unpin + use<K> {
        let (sender, receiver) = unbounded();
        self.write().subscribers.push(sender);
        receiver
    }

    /// All that is there, then all changes.
    pub(super) fn subscribe(&self) -> impl Stream<Item = Change<K>> + Send + Unpin + use<K> {
        let (sender, receiver) = unbounded();
        let mut guarded = self.write();
        guarded.subscribers.push(sender);
        let there = self.reader.state();
        stream::iter(there.into_iter().map(Change::new)).chain(receiver)
    }
}

/// The UIDs of all owners.
fn owner_uids<K: Kind>(object: &K) -> Vec<String> {
    let owners = object.meta().owner_references.iter().flatten();
    owners.map(|owner| owner.uid.clone()).collect()
}

impl<K: Clone> Guarded<K> {
    fn publish(&mut self, change: &Change<K>) {
        // Who no longer listens has dropped the other end.
        self.subscribers
            .retain(|subscriber| subscriber.unbounded_send(change.clone()).is_ok());
    }
}

/// The one who writes a cache.
pub(super) struct CacheWriter<K: Kind> {
    writer: Writer<K>,
    cache: Arc<Cache<K>>,
}

impl<K: Kind> CacheWriter<K> {
    /// The first contents. From here on the cache is synced.
    pub(super) fn fill(&mut self, objects: impl IntoIterator<Item = K>) {
        let mut guarded = self.cache.write();
        self.writer.apply_watcher_event(&Event::Init);
        for object in objects {
            self.writer.apply_watcher_event(&Event::InitApply(object));
        }
        self.writer.apply_watcher_event(&Event::InitDone);
        for object in self.cache.reader.state() {
            for index in &mut guarded.indexes {
                index.insert(&object);
            }
            guarded.publish(&Change::new(object));
        }
        self.cache.synced.send_replace(true);
    }

    /// Takes an object in, unless this version of it is there already.
    pub(super) fn put(&mut self, object: K) {
        let key = ObjectRef::from_obj(&object);
        let mut guarded = self.cache.write();
        let mut before = self.cache.reader.get(&key);
        if before
            .as_ref()
            .is_some_and(|before| same_version(before.meta(), object.meta()))
        {
            return;
        }
        self.writer.apply_watcher_event(&Event::Apply(object));
        let Some(now) = self.cache.reader.get(&key) else {
            return;
        };
        for index in &mut guarded.indexes {
            if let Some(before) = &before {
                index.remove(before);
            }
            index.insert(&now);
        }
        // It was deleted and made again while nobody watched: two objects, one name.
        if let Some(other) = before.take_if(|before| before.meta().uid != now.meta().uid) {
            guarded.publish(&Change::Deleted(other));
        }
        guarded.publish(&Change::Applied { now, before });
    }

    pub(super) fn remove(&mut self, key: &ObjectRef<K>) {
        let mut guarded = self.cache.write();
        let Some(before) = self.cache.reader.get(key) else {
            return;
        };
        let gone = Event::Delete((*before).clone());
        self.writer.apply_watcher_event(&gone);
        for index in &mut guarded.indexes {
            index.remove(&before);
        }
        guarded.publish(&Change::Deleted(before));
    }

    pub(super) fn reader(&self) -> &reflector::Store<K> {
        &self.cache.reader
    }

    pub(super) fn count_unreadable(&self, count: usize) {
        self.cache.unreadable.store(count, Ordering::Relaxed);
    }
}

fn same_version(one: &ObjectMeta, other: &ObjectMeta) -> bool {
    one.resource_version.is_some()
        && one.resource_version == other.resource_version
        && one.uid == other.uid
}
