//! Look-ups that cost what they find.
//!
//! An index holds the names of objects, in a set per key: an object leaves a set of thousands at once. It must not outlive a change of the
//! cache: both change under one lock (see `cache`).

use std::{fmt, sync::Arc};

use foldhash::{HashMap, HashMapExt, HashSet};

use super::{Kind, Name, cache::Cache};

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
    objects: HashMap<Box<str>, Bucket>,
}

/// The objects under one key. Most often there is one, and a set takes ten times the room.
enum Bucket {
    One(Name),
    // Boxed, for all buckets have the size of the largest.
    Several(Box<HashSet<Name>>),
}

impl<K> Buckets<K> {
    pub(super) fn new(name: String, keys: Keys<K>) -> Self {
        Self {
            name,
            keys,
            objects: HashMap::new(),
        }
    }

    pub(super) fn get(&self, key: &str) -> Vec<&Name> {
        match self.objects.get(key) {
            None => Vec::new(),
            Some(Bucket::One(name)) => vec![name],
            Some(Bucket::Several(names)) => names.iter().collect(),
        }
    }

    pub(super) fn insert(&mut self, name: &Name, object: &K) {
        for key in (self.keys)(object) {
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

    pub(super) fn remove(&mut self, name: &Name, object: &K) {
        for key in (self.keys)(object) {
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
