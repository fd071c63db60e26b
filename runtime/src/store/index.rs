//! Look-ups that cost what they find.
//!
//! An index holds pointers to the cached objects, in a set per key: eight bytes for an object, and an object leaves a set of
//! thousands at once. It must not outlive a change of the cache: both change under one lock (see `cache`).

use std::{
    collections::{HashMap, HashSet},
    fmt,
    hash::{Hash, Hasher},
    sync::Arc,
};

use super::{Kind, cache::Cache};

/// What an object is found under.
pub(super) type Keys<K> = Box<dyn Fn(&K) -> Vec<String> + Send + Sync>;

/// Objects by keys that a function gives. Made by [`Store::index`](super::Store::index).
#[derive(Clone)]
pub struct Index<K: Kind> {
    cache: Arc<Cache<K>>,
    position: usize,
}

impl<K: Kind> Index<K> {
    pub(super) fn new(cache: Arc<Cache<K>>, position: usize) -> Self {
        Self { cache, position }
    }

    /// All objects under a key, in no particular order. It takes as long as there are objects under it, however many are in the store.
    pub fn get(&self, key: &str) -> Vec<Arc<K>> {
        self.cache.under(self.position, key)
    }
}

impl<K: Kind> fmt::Debug for Index<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = self.cache.index_name(self.position);
        f.debug_tuple("Index").field(&name).finish()
    }
}

/// The objects of one index.
pub(super) struct Buckets<K> {
    pub(super) name: String,
    keys: Keys<K>,
    objects: HashMap<String, HashSet<Pointer<K>>>,
}

impl<K> Buckets<K> {
    pub(super) fn new(name: String, keys: Keys<K>) -> Self {
        Self {
            name,
            keys,
            objects: HashMap::new(),
        }
    }

    pub(super) fn get(&self, key: &str) -> Vec<Arc<K>> {
        let bucket = self.objects.get(key).into_iter().flatten();
        bucket.map(|pointer| Arc::clone(&pointer.0)).collect()
    }

    pub(super) fn insert(&mut self, object: &Arc<K>) {
        for key in (self.keys)(object) {
            let bucket = self.objects.entry(key).or_default();
            bucket.insert(Pointer(Arc::clone(object)));
        }
    }

    pub(super) fn remove(&mut self, object: &Arc<K>) {
        for key in (self.keys)(object) {
            let Some(bucket) = self.objects.get_mut(&key) else {
                continue;
            };
            bucket.remove(&Pointer(Arc::clone(object)));
            if bucket.is_empty() {
                self.objects.remove(&key);
            }
        }
    }
}

/// A cached object, equal to itself only: there is one of each in the cache.
struct Pointer<K>(Arc<K>);

impl<K> PartialEq for Pointer<K> {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl<K> Eq for Pointer<K> {}

impl<K> Hash for Pointer<K> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        Arc::as_ptr(&self.0).hash(state);
    }
}
