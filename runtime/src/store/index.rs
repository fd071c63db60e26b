//! Look-ups that cost what they find.
//!
//! An index holds the names of objects, in a set per key: an object leaves a set of thousands at once. It must not outlive a change of the
//! cache: both change under one lock (see `cache`).

use std::{fmt, sync::Arc};

use foldhash::{HashMap, HashMapExt, HashSet};

use tracing::error;

use super::{CachedResource, ObjectKey, cache::Cache};
use crate::{metrics::StoreMetrics, panics};

/// What an object is found under.
pub(super) type Keys<K> = Box<dyn Fn(&K) -> Vec<String> + Send + Sync>;

/// Objects by keys that a function gives. Made by [`Store::index`](super::Store::index).
#[derive(Clone)]
pub struct Index<K: CachedResource> {
    cache: Arc<Cache<K>>,
    position: usize,
}

impl<K: CachedResource> Index<K> {
    pub(super) fn new(cache: Arc<Cache<K>>, position: usize) -> Self {
        Self { cache, position }
    }

    /// All objects under a key, in no particular order. It takes as long as there are objects under it, however many are in the store.
    pub fn get(&self, key: &str) -> Vec<Arc<K>> {
        self.cache.under(self.position, key)
    }
}

impl<K: CachedResource> fmt::Debug for Index<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = self.cache.index_name(self.position);
        f.debug_tuple("Index").field(&name).finish()
    }
}

/// The objects of one index.
pub(super) struct Buckets<K> {
    pub(super) name: String,
    keys: Keys<K>,
    metrics: StoreMetrics,
    objects: HashMap<Box<str>, Bucket>,
}

/// The objects under one key. Most often there is one, and a set takes ten times the room.
enum Bucket {
    One(ObjectKey),
    // Boxed, for all buckets have the size of the largest.
    Several(Box<HashSet<ObjectKey>>),
}

impl<K: CachedResource> Buckets<K> {
    pub(super) fn new(name: String, keys: Keys<K>, metrics: StoreMetrics) -> Self {
        Self {
            name,
            keys,
            metrics,
            objects: HashMap::new(),
        }
    }

    pub(super) fn get(&self, key: &str) -> Vec<&ObjectKey> {
        match self.objects.get(key) {
            None => Vec::new(),
            Some(Bucket::One(name)) => vec![name],
            Some(Bucket::Several(names)) => names.iter().collect(),
        }
    }

    /// The keys of an object; an error is the message of a panic.
    fn keys(&self, object: &K) -> Result<Vec<String>, String> {
        panics::catch(|| (self.keys)(object))
    }

    /// Adds an object. One for which the index function panics is in the store, but not in this index.
    pub(super) fn insert(&mut self, name: &ObjectKey, object: &K) {
        let keys = self.keys(object).unwrap_or_else(|panic| {
            self.metrics.index_panicked();
            error!(
                kind = %K::kind(&()), index = self.name, object = %name, panic,
                "index function panicked, object is missing in the index"
            );
            Vec::new()
        });
        for key in keys {
            let Some(bucket) = self.objects.get_mut(&*key) else {
                self.objects.insert(key.into(), Bucket::One(name.clone()));
                continue;
            };
            match bucket {
                Bucket::One(other) if other == name => {}
                Bucket::One(other) => {
                    let both = HashSet::from_iter([other.clone(), name.clone()]);
                    *bucket = Bucket::Several(Box::new(both));
                }
                Bucket::Several(names) => drop(names.insert(name.clone())),
            }
        }
    }

    pub(super) fn remove(&mut self, name: &ObjectKey, object: &K) {
        // If it panics now, it did so when the object was added.
        for key in self.keys(object).unwrap_or_default() {
            let is_empty = match self.objects.get_mut(&*key) {
                Some(Bucket::One(other)) => other == name,
                Some(Bucket::Several(names)) => {
                    names.remove(name);
                    names.is_empty()
                }
                None => false,
            };
            if is_empty {
                self.objects.remove(&*key);
            }
        }
    }
}
