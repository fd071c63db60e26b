//! The objects, their indexes and who listens, behind one lock.
//!
//! Whoever reads sees objects and indexes of one moment. Objects are held as text (see `packed`), and those that were used last as values, too:
//! a change is mostly followed by a reconcile that reads the same object.

use std::{
    collections::hash_map,
    sync::{
        Arc, Mutex, MutexGuard, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard,
        atomic::{AtomicUsize, Ordering},
    },
};

use foldhash::{HashMap, HashMapExt};
use futures::{
    Stream, StreamExt,
    channel::mpsc::{UnboundedReceiver, UnboundedSender, unbounded},
    stream,
};
use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;
use tokio::sync::watch;
use tracing::error;

use super::{
    CachedResource, Change, ObjectKey, SyncState, SyncStates,
    guard::read,
    index::{Buckets, Keys},
};
use crate::{lru_map::LruMap, metrics::StoreMetrics};

/// The index that every store has.
const BY_OWNER: usize = 0;
/// How many objects are at least held as values, of those that were used last.
const IN_USE: usize = 64;

/// What the handles of one store share.
pub(super) struct Cache<K: CachedResource> {
    guarded: RwLock<Guarded<K>>,
    /// Those that were used last. It is locked only by who holds the other lock, so that it has nothing that the cache no longer has.
    in_use: Mutex<LruMap<ObjectKey, Arc<K>>>,
    sync_state: watch::Sender<SyncState>,
    /// How many objects of the cluster are left out, because they do not fit their type.
    unreadable: AtomicUsize,
    metrics: StoreMetrics,
}

struct Guarded<K> {
    objects: HashMap<ObjectKey, Arc<str>>,
    indexes: Vec<Buckets<K>>,
    subscribers: Vec<UnboundedSender<(ObjectKey, Change<K>)>>,
}

impl<K: CachedResource> Cache<K> {
    /// An empty cache, and the one who may write it.
    pub(super) fn new(metrics: StoreMetrics) -> (Arc<Self>, CacheWriter<K>) {
        let by_owner = Buckets::new("owner".into(), Box::new(owner_uids), metrics.clone());
        let cache = Arc::new(Self {
            guarded: RwLock::new(Guarded {
                objects: HashMap::new(),
                indexes: vec![by_owner],
                subscribers: Vec::new(),
            }),
            in_use: Mutex::new(LruMap::new(IN_USE)),
            sync_state: watch::Sender::new(SyncState::Listing),
            unreadable: AtomicUsize::new(0),
            metrics,
        });
        let writer = CacheWriter {
            cache: Arc::clone(&cache),
        };
        (cache, writer)
    }

    // Nothing panics while it is held: a panic of an index function is caught (see `index`).
    fn read(&self) -> RwLockReadGuard<'_, Guarded<K>> {
        self.guarded.read().unwrap_or_else(PoisonError::into_inner)
    }

    fn write(&self) -> RwLockWriteGuard<'_, Guarded<K>> {
        self.guarded.write().unwrap_or_else(PoisonError::into_inner)
    }

    /// How far the first list is, now and from now on.
    pub(super) fn sync_states(&self) -> SyncStates {
        self.sync_state.subscribe()
    }

    pub(super) fn is_synced(&self) -> bool {
        *self.sync_state.borrow() == SyncState::Synced
    }

    pub(super) fn unreadable(&self) -> usize {
        self.unreadable.load(Ordering::Relaxed)
    }

    pub(super) fn len(&self) -> usize {
        self.read().objects.len()
    }

    /// The name as the cache has it.
    pub(super) fn named(&self, name: &str) -> Option<ObjectKey> {
        let guarded = self.read();
        let (name, _) = guarded.objects.get_key_value(name)?;
        Some(name.clone())
    }

    pub(super) fn get(&self, name: &str) -> Option<Arc<K>> {
        let guarded = self.read();
        let (name, text) = guarded.objects.get_key_value(name)?;
        self.value(name, text)
    }

    pub(super) fn list(&self) -> Vec<Arc<K>> {
        let guarded = self.read();
        let objects = guarded.objects.values();
        objects.filter_map(|text| unpack(text)).collect()
    }

    pub(super) fn owned_by(&self, uid: &str) -> Vec<Arc<K>> {
        self.under(BY_OWNER, uid)
    }

    pub(super) fn under(&self, index: usize, key: &str) -> Vec<Arc<K>> {
        let guarded = self.read();
        let names = guarded.indexes[index].get(key).into_iter();
        let objects = names.filter_map(|name| self.value(name, guarded.objects.get(name)?));
        objects.collect()
    }

    /// The value of a cached object. The lock is held.
    fn value(&self, name: &ObjectKey, text: &str) -> Option<Arc<K>> {
        if let Some(object) = self.in_use().get(name) {
            return Some(Arc::clone(object));
        }
        let object = unpack(text)?;
        self.in_use().insert(name.clone(), Arc::clone(&object));
        Some(object)
    }

    fn in_use(&self) -> MutexGuard<'_, LruMap<ObjectKey, Arc<K>>> {
        // Nothing panics while it is held.
        self.in_use.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn index_name(&self, index: usize) -> String {
        self.read().indexes[index].name.clone()
    }

    /// The position of the index of this name. If there is none, it is made of what is there.
    pub(super) fn index(&self, name: String, keys: Keys<K>) -> usize {
        let mut guarded = self.write();
        let guarded = &mut *guarded;
        let found = guarded.indexes.iter().position(|index| index.name == name);
        found.unwrap_or_else(|| {
            let mut index = Buckets::new(name, keys, self.metrics.clone());
            for (name, text) in &guarded.objects {
                if let Some(object) = unpack(text) {
                    index.insert(name, &object);
                }
            }
            guarded.indexes.push(index);
            guarded.indexes.len() - 1
        })
    }

    /// All changes from now on.
    pub(super) fn changes(&self) -> UnboundedReceiver<(ObjectKey, Change<K>)> {
        self.write().subscribe()
    }

    /// The names of all that is there, and all changes from now on.
    pub(super) fn names_and_changes(
        &self,
    ) -> (Vec<ObjectKey>, UnboundedReceiver<(ObjectKey, Change<K>)>) {
        let mut guarded = self.write();
        let receiver = guarded.subscribe();
        (guarded.objects.keys().cloned().collect(), receiver)
    }

    /// All that is there, then all changes.
    pub(super) fn subscribe(&self) -> impl Stream<Item = Change<K>> + Send + Unpin + use<K> {
        let mut guarded = self.write();
        let receiver = guarded.subscribe();
        let there: Vec<_> = guarded.objects.values().cloned().collect();
        let there = there.into_iter().filter_map(|text| unpack(&text));
        stream::iter(there.map(Change::new)).chain(receiver.map(|(_, change)| change))
    }
}

/// What a text stands for. It was read before, so there is no error; whose `Deserialize` is no function of the text has one.
fn unpack<K: CachedResource>(text: &str) -> Option<Arc<K>> {
    match serde_json::from_str(text) {
        Ok(object) => Some(Arc::new(object)),
        Err(error) => {
            error!(kind = %K::kind(&()), %error, "an object that fitted its type no longer does");
            None
        }
    }
}

/// The UIDs of all owners.
fn owner_uids<K: CachedResource>(object: &K) -> Vec<String> {
    let owners = object.meta().owner_references.iter().flatten();
    owners.map(|owner| owner.uid.clone()).collect()
}

impl<K> Guarded<K> {
    fn subscribe(&mut self) -> UnboundedReceiver<(ObjectKey, Change<K>)> {
        let (sender, receiver) = unbounded();
        self.subscribers.push(sender);
        receiver
    }

    fn publish(&mut self, name: &ObjectKey, change: &Change<K>) {
        // Who no longer listens has dropped the other end.
        self.subscribers.retain(|subscriber| {
            let told = (name.clone(), change.clone());
            subscriber.unbounded_send(told).is_ok()
        });
    }
}

/// The one who writes a cache.
pub(super) struct CacheWriter<K: CachedResource> {
    cache: Arc<Cache<K>>,
}

impl<K: CachedResource> CacheWriter<K> {
    /// The first contents. Gives what is left out, and why: it does not fit its type.
    pub(super) fn fill(
        &mut self,
        mut objects: HashMap<ObjectKey, Arc<str>>,
    ) -> Vec<(ObjectKey, Arc<str>, String)> {
        let mut left_out = Vec::new();
        let mut guarded = self.cache.write();
        objects.retain(|name, text| match read(text) {
            Ok(object) => {
                for index in &mut guarded.indexes {
                    index.insert(name, &object);
                }
                guarded.publish(name, &Change::new(Arc::new(object)));
                true
            }
            Err(error) => {
                left_out.push((name.clone(), Arc::clone(text), error));
                false
            }
        });
        guarded.objects = objects;
        left_out
    }

    /// All objects have been listed once, and are there or counted as unreadable.
    pub(super) fn synced(&self) {
        self.cache.sync_state.send_replace(SyncState::Synced);
    }

    /// The first list fails, and why. Once synced, a store stays synced: it keeps what it has while its watch fails.
    pub(super) fn unavailable(&self, reason: SyncState) {
        self.cache.sync_state.send_if_modified(|state| {
            let news = *state != SyncState::Synced && *state != reason;
            if news {
                *state = reason;
            }
            news
        });
    }

    /// Takes an object in, unless this version of it is there already.
    pub(super) fn put(&mut self, name: ObjectKey, object: K, text: &str) {
        let mut guarded = self.cache.write();
        let guarded = &mut *guarded;
        let (name, mut old) = match guarded.objects.entry(name) {
            hash_map::Entry::Vacant(entry) => {
                let name = entry.key().clone();
                entry.insert(text.into());
                (name, None)
            }
            hash_map::Entry::Occupied(mut entry) => {
                let name = entry.key().clone();
                let old = self.cache.value(&name, entry.get());
                if let Some(old) = &old
                    && same_version(old.meta(), object.meta())
                {
                    return;
                }
                entry.insert(text.into());
                (name, old)
            }
        };
        let new = Arc::new(object);
        self.cache.in_use().insert(name.clone(), Arc::clone(&new));
        for index in &mut guarded.indexes {
            if let Some(old) = &old {
                index.remove(&name, old);
            }
            index.insert(&name, &new);
        }
        // It was deleted and made again while nobody watched: two objects, one name.
        if let Some(other) = old.take_if(|old| old.meta().uid != new.meta().uid) {
            guarded.publish(&name, &Change::Deleted(other));
        }
        guarded.publish(&name, &Change::Applied { new, old });
    }

    pub(super) fn remove(&mut self, name: &ObjectKey) {
        let mut guarded = self.cache.write();
        let Some((name, text)) = guarded.objects.remove_entry(name) else {
            return;
        };
        let old = self.cache.value(&name, &text);
        self.cache.in_use().remove(&name);
        let Some(old) = old else {
            return;
        };
        for index in &mut guarded.indexes {
            index.remove(&name, &old);
        }
        guarded.publish(&name, &Change::Deleted(old));
    }

    /// The names of all that is there.
    pub(super) fn names(&self) -> Vec<ObjectKey> {
        self.cache.read().objects.keys().cloned().collect()
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
