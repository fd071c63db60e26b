//! Indexes of a store.
//!
//! An index maps each value to a set of object keys, so that removing one of thousands of objects with the same value is fast. It is only
//! valid together with the objects of the cache: both are behind one lock (see `cache`).

use std::{fmt, sync::Arc};

use foldhash::{HashMap, HashMapExt, HashSet};

use tracing::error;

use super::{CachedResource, ObjectKey, cache::Cache};
use crate::{metrics::StoreMetrics, panics};

/// Returns the values under which an object is indexed.
pub(super) type IndexFn<K> = Box<dyn Fn(&K) -> Vec<String> + Send + Sync>;

/// Looks up objects by the values of an index function. Created by [`Store::index`](super::Store::index).
#[derive(Clone)]
pub struct Index<K: CachedResource> {
    cache: Arc<Cache<K>>,
    position: usize,
}

impl<K: CachedResource> Index<K> {
    pub(super) fn new(cache: Arc<Cache<K>>, position: usize) -> Self {
        Self { cache, position }
    }

    /// Returns all objects with this value, in arbitrary order. Takes time proportional to the number of results.
    pub fn get(&self, value: &str) -> Vec<Arc<K>> {
        self.cache.by_index(self.position, value)
    }
}

impl<K: CachedResource> fmt::Debug for Index<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = self.cache.index_name(self.position);
        f.debug_tuple("Index").field(&name).finish()
    }
}

/// Entries of one index.
pub(super) struct IndexEntries<K> {
    pub(super) name: String,
    index_fn: IndexFn<K>,
    metrics: StoreMetrics,
    keys: HashMap<Box<str>, Keys>,
}

/// Keys of the objects with one value. Usually there is one, and a set takes ten times the memory.
enum Keys {
    One(ObjectKey),
    // Boxed, because the enum has the size of its largest variant.
    Many(Box<HashSet<ObjectKey>>),
}

impl<K: CachedResource> IndexEntries<K> {
    pub(super) fn new(name: String, index_fn: IndexFn<K>, metrics: StoreMetrics) -> Self {
        Self {
            name,
            index_fn,
            metrics,
            keys: HashMap::new(),
        }
    }

    pub(super) fn get(&self, value: &str) -> Vec<&ObjectKey> {
        match self.keys.get(value) {
            None => Vec::new(),
            Some(Keys::One(key)) => vec![key],
            Some(Keys::Many(keys)) => keys.iter().collect(),
        }
    }

    /// Calls the index function. The error is the message of its panic.
    fn values(&self, object: &K) -> Result<Vec<String>, String> {
        panics::catch(|| (self.index_fn)(object))
    }

    /// Adds an object. If the index function panics, the object is missing from this index only.
    pub(super) fn insert(&mut self, key: &ObjectKey, object: &K) {
        let values = self.values(object).unwrap_or_else(|panic| {
            self.metrics.index_panicked();
            error!(
                kind = %K::kind(&()), index = self.name, object = %key, panic,
                "index function panicked, object is missing from the index"
            );
            Vec::new()
        });
        for value in values {
            let Some(keys) = self.keys.get_mut(&*value) else {
                self.keys.insert(value.into(), Keys::One(key.clone()));
                continue;
            };
            match keys {
                Keys::One(other) if other == key => {}
                Keys::One(other) => {
                    let both = HashSet::from_iter([other.clone(), key.clone()]);
                    *keys = Keys::Many(Box::new(both));
                }
                Keys::Many(keys) => drop(keys.insert(key.clone())),
            }
        }
    }

    pub(super) fn remove(&mut self, key: &ObjectKey, object: &K) {
        // If the index function panics, it did so on insertion, too.
        for value in self.values(object).unwrap_or_default() {
            let is_empty = match self.keys.get_mut(&*value) {
                Some(Keys::One(other)) => other == key,
                Some(Keys::Many(keys)) => {
                    keys.remove(key);
                    keys.is_empty()
                }
                None => false,
            };
            if is_empty {
                self.keys.remove(&*value);
            }
        }
    }
}
