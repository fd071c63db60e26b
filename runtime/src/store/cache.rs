//! Objects, indexes and subscribers of a store, behind one lock.
//!
//! Readers see objects and indexes of the same point in time. Objects are stored in compact form (see `compact`). The most recently used
//! ones are stored deserialized, too: a change is usually followed by a reconcile that reads the same object.

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
    index::{IndexEntries, IndexFn},
    raw_object::deserialize,
};
use crate::{lru_map::LruMap, metrics::StoreMetrics};

/// Position of the index by owner UID, which every store has.
const OWNER_INDEX: usize = 0;
/// Minimum number of objects that are kept deserialized.
const DESERIALIZED_OBJECTS: usize = 64;

/// Shared by all handles of a store.
pub(super) struct Cache<K: CachedResource> {
    state: RwLock<State<K>>,
    /// Recently used objects. Only locked while `state` is locked, so that it never contains outdated objects.
    deserialized: Mutex<LruMap<ObjectKey, Arc<K>>>,
    sync_state: watch::Sender<SyncState>,
    /// Number of objects that failed to deserialize.
    invalid_objects: AtomicUsize,
    metrics: StoreMetrics,
}

struct State<K> {
    objects: HashMap<ObjectKey, Arc<str>>,
    indexes: Vec<IndexEntries<K>>,
    subscribers: Vec<UnboundedSender<(ObjectKey, Change<K>)>>,
}

impl<K: CachedResource> Cache<K> {
    /// Creates an empty cache and its only writer.
    pub(super) fn new(metrics: StoreMetrics) -> (Arc<Self>, CacheWriter<K>) {
        let by_owner = IndexEntries::new("owner".into(), Box::new(owner_uids), metrics.clone());
        let cache = Arc::new(Self {
            state: RwLock::new(State {
                objects: HashMap::new(),
                indexes: vec![by_owner],
                subscribers: Vec::new(),
            }),
            deserialized: Mutex::new(LruMap::new(DESERIALIZED_OBJECTS)),
            sync_state: watch::Sender::new(SyncState::Listing),
            invalid_objects: AtomicUsize::new(0),
            metrics,
        });
        let writer = CacheWriter {
            cache: Arc::clone(&cache),
        };
        (cache, writer)
    }

    // The locks cannot be poisoned: panics of index functions are caught (see `index`).
    fn read(&self) -> RwLockReadGuard<'_, State<K>> {
        self.state.read().unwrap_or_else(PoisonError::into_inner)
    }

    fn write(&self) -> RwLockWriteGuard<'_, State<K>> {
        self.state.write().unwrap_or_else(PoisonError::into_inner)
    }

    fn deserialized(&self) -> MutexGuard<'_, LruMap<ObjectKey, Arc<K>>> {
        self.deserialized
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn sync_states(&self) -> SyncStates {
        self.sync_state.subscribe()
    }

    pub(super) fn is_synced(&self) -> bool {
        *self.sync_state.borrow() == SyncState::Synced
    }

    pub(super) fn invalid_objects(&self) -> usize {
        self.invalid_objects.load(Ordering::Relaxed)
    }

    pub(super) fn len(&self) -> usize {
        self.read().objects.len()
    }

    /// Returns the shared key of a cached object.
    pub(super) fn key(&self, key: &str) -> Option<ObjectKey> {
        let state = self.read();
        let (key, _) = state.objects.get_key_value(key)?;
        Some(key.clone())
    }

    pub(super) fn get(&self, key: &str) -> Option<Arc<K>> {
        let state = self.read();
        let (key, json) = state.objects.get_key_value(key)?;
        self.object(key, json)
    }

    pub(super) fn list(&self) -> Vec<Arc<K>> {
        let state = self.read();
        let objects = state.objects.values();
        objects
            .filter_map(|json| deserialize_cached(json))
            .collect()
    }

    pub(super) fn owned_by(&self, uid: &str) -> Vec<Arc<K>> {
        self.by_index(OWNER_INDEX, uid)
    }

    pub(super) fn by_index(&self, index: usize, value: &str) -> Vec<Arc<K>> {
        let state = self.read();
        let keys = state.indexes[index].get(value).into_iter();
        let objects = keys.filter_map(|key| self.object(key, state.objects.get(key)?));
        objects.collect()
    }

    /// Returns a cached object. The caller holds the lock of the state.
    fn object(&self, key: &ObjectKey, json: &str) -> Option<Arc<K>> {
        if let Some(object) = self.deserialized().get(key) {
            return Some(Arc::clone(object));
        }
        let object = deserialize_cached(json)?;
        self.deserialized().insert(key.clone(), Arc::clone(&object));
        Some(object)
    }

    pub(super) fn index_name(&self, index: usize) -> String {
        self.read().indexes[index].name.clone()
    }

    /// Returns the position of the index with this name, which is created if it does not exist.
    pub(super) fn index(&self, name: String, index_fn: IndexFn<K>) -> usize {
        let mut state = self.write();
        let state = &mut *state;
        let existing = state.indexes.iter().position(|index| index.name == name);
        existing.unwrap_or_else(|| {
            let mut index = IndexEntries::new(name, index_fn, self.metrics.clone());
            for (key, json) in &state.objects {
                if let Some(object) = deserialize_cached(json) {
                    index.insert(key, &object);
                }
            }
            state.indexes.push(index);
            state.indexes.len() - 1
        })
    }

    /// Subscribes to future changes.
    pub(super) fn changes(&self) -> UnboundedReceiver<(ObjectKey, Change<K>)> {
        self.write().subscribe()
    }

    /// Returns the keys of all cached objects and subscribes to future changes.
    pub(super) fn keys_and_changes(
        &self,
    ) -> (Vec<ObjectKey>, UnboundedReceiver<(ObjectKey, Change<K>)>) {
        let mut state = self.write();
        let changes = state.subscribe();
        (state.objects.keys().cloned().collect(), changes)
    }

    /// Subscribes to all cached objects, followed by future changes.
    pub(super) fn subscribe(&self) -> impl Stream<Item = Change<K>> + Send + Unpin + use<K> {
        let mut state = self.write();
        let changes = state.subscribe();
        let cached: Vec<_> = state.objects.values().cloned().collect();
        let cached = cached
            .into_iter()
            .filter_map(|json| deserialize_cached(&json));
        stream::iter(cached.map(Change::created)).chain(changes.map(|(_, change)| change))
    }
}

/// Deserializes an object that was deserialized before. Fails only if its `Deserialize` is not a pure function.
fn deserialize_cached<K: CachedResource>(json: &str) -> Option<Arc<K>> {
    match serde_json::from_str(json) {
        Ok(object) => Some(Arc::new(object)),
        Err(error) => {
            error!(kind = %K::kind(&()), %error, "failed to deserialize cached object");
            None
        }
    }
}

fn owner_uids<K: CachedResource>(object: &K) -> Vec<String> {
    let owners = object.meta().owner_references.iter().flatten();
    owners.map(|owner| owner.uid.clone()).collect()
}

impl<K> State<K> {
    fn subscribe(&mut self) -> UnboundedReceiver<(ObjectKey, Change<K>)> {
        let (sender, receiver) = unbounded();
        self.subscribers.push(sender);
        receiver
    }

    /// Sends a change to all subscribers, and removes those that dropped their receiver.
    fn publish(&mut self, key: &ObjectKey, change: &Change<K>) {
        self.subscribers.retain(|subscriber| {
            let message = (key.clone(), change.clone());
            subscriber.unbounded_send(message).is_ok()
        });
    }
}

/// The only writer of a cache.
pub(super) struct CacheWriter<K: CachedResource> {
    cache: Arc<Cache<K>>,
}

impl<K: CachedResource> CacheWriter<K> {
    /// Sets the initial objects. Returns those that failed to deserialize, with their errors.
    pub(super) fn fill(
        &mut self,
        mut objects: HashMap<ObjectKey, Arc<str>>,
    ) -> Vec<(ObjectKey, Arc<str>, String)> {
        let mut invalid = Vec::new();
        let mut state = self.cache.write();
        objects.retain(|key, json| match deserialize(json) {
            Ok(object) => {
                for index in &mut state.indexes {
                    index.insert(key, &object);
                }
                state.publish(key, &Change::created(Arc::new(object)));
                true
            }
            Err(error) => {
                invalid.push((key.clone(), Arc::clone(json), error));
                false
            }
        });
        state.objects = objects;
        invalid
    }

    pub(super) fn set_synced(&self) {
        self.cache.sync_state.send_replace(SyncState::Synced);
    }

    /// Sets why the initial list fails. A synced store stays synced and keeps its objects while the watch fails.
    pub(super) fn set_unavailable(&self, reason: SyncState) {
        self.cache.sync_state.send_if_modified(|state| {
            let is_modified = *state != SyncState::Synced && *state != reason;
            if is_modified {
                *state = reason;
            }
            is_modified
        });
    }

    /// Inserts an object, unless the same version is cached.
    pub(super) fn insert(&mut self, key: ObjectKey, object: K, json: &str) {
        let mut state = self.cache.write();
        let state = &mut *state;
        let (key, mut old) = match state.objects.entry(key) {
            hash_map::Entry::Vacant(entry) => {
                let key = entry.key().clone();
                entry.insert(json.into());
                (key, None)
            }
            hash_map::Entry::Occupied(mut entry) => {
                let key = entry.key().clone();
                let old = self.cache.object(&key, entry.get());
                if let Some(old) = &old
                    && is_same_version(old.meta(), object.meta())
                {
                    return;
                }
                entry.insert(json.into());
                (key, old)
            }
        };
        let new = Arc::new(object);
        self.cache
            .deserialized()
            .insert(key.clone(), Arc::clone(&new));
        for index in &mut state.indexes {
            if let Some(old) = &old {
                index.remove(&key, old);
            }
            index.insert(&key, &new);
        }
        // The object was deleted and recreated while the watch was disconnected.
        if let Some(deleted) = old.take_if(|old| old.meta().uid != new.meta().uid) {
            state.publish(&key, &Change::Deleted(deleted));
        }
        state.publish(&key, &Change::Applied { new, old });
    }

    pub(super) fn remove(&mut self, key: &ObjectKey) {
        let mut state = self.cache.write();
        let Some((key, json)) = state.objects.remove_entry(key) else {
            return;
        };
        let old = self.cache.object(&key, &json);
        self.cache.deserialized().remove(&key);
        let Some(old) = old else {
            return;
        };
        for index in &mut state.indexes {
            index.remove(&key, &old);
        }
        state.publish(&key, &Change::Deleted(old));
    }

    pub(super) fn keys(&self) -> Vec<ObjectKey> {
        self.cache.read().objects.keys().cloned().collect()
    }

    pub(super) fn set_invalid_objects(&self, count: usize) {
        self.cache.invalid_objects.store(count, Ordering::Relaxed);
    }
}

fn is_same_version(one: &ObjectMeta, other: &ObjectMeta) -> bool {
    one.resource_version.is_some()
        && one.resource_version == other.resource_version
        && one.uid == other.uid
}
