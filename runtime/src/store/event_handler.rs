//! Applies the events of one or more watches to a cache.
//!
//! Each namespace has its own watch. Objects are collected until all watches have listed once, so that the cache is filled atomically.
//! Later lists are applied as a difference, including deletions that happened while the watch was disconnected. Sends no requests.

use std::sync::Arc;

use foldhash::{HashMap, HashMapExt, HashSet, HashSetExt};
use kube::{Resource, runtime::watcher::Event};
use tracing::{info, warn};

use super::{
    CachedResource, ObjectKey, SyncState,
    cache::CacheWriter,
    raw_object::{RawObject, deserialize},
};

/// Handles the events of all watches of a store.
pub(crate) struct EventHandler<K: CachedResource> {
    cache: CacheWriter<K>,
    watches: Vec<WatchState>,
    /// Objects listed so far, until all watches have listed once.
    initial: Option<HashMap<ObjectKey, Arc<str>>>,
    /// Objects that failed to deserialize, with the resource version that was logged.
    invalid: HashMap<ObjectKey, Option<String>>,
    keep_managed_fields_of: Option<String>,
}

struct WatchState {
    /// `None` for all namespaces.
    namespace: Option<String>,
    listed: bool,
    /// Objects in the current list.
    seen: HashSet<ObjectKey>,
}

impl<K: CachedResource> EventHandler<K> {
    /// Creates a handler with one watch per namespace.
    pub(super) fn new(
        cache: CacheWriter<K>,
        namespaces: impl IntoIterator<Item = Option<String>>,
        keep_managed_fields_of: Option<String>,
    ) -> Self {
        let watch = |namespace| WatchState {
            namespace,
            listed: false,
            seen: HashSet::new(),
        };
        Self {
            cache,
            watches: namespaces.into_iter().map(watch).collect(),
            initial: Some(HashMap::new()),
            invalid: HashMap::new(),
            keep_managed_fields_of,
        }
    }

    pub(crate) fn handle(&mut self, watch: usize, event: Event<RawObject<K>>) {
        match event {
            Event::Init => self.watches[watch].seen.clear(),
            Event::InitApply(object) => {
                let key = ObjectKey::of(object.meta());
                self.watches[watch].seen.insert(key.clone());
                self.insert(key, object);
            }
            Event::InitDone => self.finish_list(watch),
            Event::Apply(object) => self.insert(ObjectKey::of(object.meta()), object),
            Event::Delete(object) => self.remove(&ObjectKey::of(object.meta())),
        }
        self.cache.set_invalid_objects(self.invalid.len());
    }

    /// Records that a watch cannot list until the cluster or the role changes.
    pub(super) fn set_unavailable(&self, reason: SyncState) {
        self.cache.set_unavailable(reason);
    }

    fn insert(&mut self, key: ObjectKey, mut object: RawObject<K>) {
        let version = object.meta_mut().resource_version.take();
        let json = match object.compact(self.keep_managed_fields_of.as_deref()) {
            Ok(json) => json,
            Err(error) => return self.ignore(key, version, &error.to_string()),
        };
        if let Some(initial) = &mut self.initial {
            // Deserialized when all watches have listed, and only once.
            self.invalid.remove(&key);
            initial.insert(key, json.into());
            return;
        }
        match deserialize(&json) {
            Ok(object) => {
                if self.invalid.remove(&key).is_some() {
                    info!(kind = %K::kind(&()), object = %key, "object is valid again");
                }
                self.cache.insert(key, object, &json);
            }
            Err(error) => self.ignore(key, version, &error),
        }
    }

    /// Removes an object that failed to deserialize: its cached state is outdated, and controllers must not act on it.
    fn ignore(&mut self, key: ObjectKey, version: Option<String>, error: &str) {
        if self.invalid.get(&key) != Some(&version) {
            warn!(kind = %K::kind(&()), object = %key, error, "failed to deserialize, ignoring object");
        }
        self.remove_cached(&key);
        self.invalid.insert(key, version);
    }

    fn remove(&mut self, key: &ObjectKey) {
        self.invalid.remove(key);
        self.remove_cached(key);
    }

    fn remove_cached(&mut self, key: &ObjectKey) {
        match &mut self.initial {
            Some(initial) => drop(initial.remove(key)),
            None => self.cache.remove(key),
        }
    }

    /// Removes objects that are missing from a complete list.
    fn finish_list(&mut self, watch: usize) {
        let watch = &mut self.watches[watch];
        watch.listed = true;
        let seen = std::mem::take(&mut watch.seen);
        let namespace = watch.namespace.clone();

        let mut keys: Vec<_> = self.invalid.keys().cloned().collect();
        match &self.initial {
            Some(initial) => keys.extend(initial.keys().cloned()),
            None => keys.extend(self.cache.keys()),
        }
        for key in keys {
            let is_watched = namespace.is_none() || key.namespace() == namespace.as_deref();
            if is_watched && !seen.contains(&key) {
                self.remove(&key);
            }
        }

        if self.watches.iter().all(|watch| watch.listed)
            && let Some(initial) = self.initial.take()
        {
            for (key, json, error) in self.cache.fill(initial) {
                let object: Option<RawObject<K>> = serde_json::from_str(&json).ok();
                let version = object.and_then(|object| object.meta().resource_version.clone());
                self.ignore(key, version, &error);
            }
            self.cache.set_invalid_objects(self.invalid.len());
            self.cache.set_synced();
        }
    }
}
