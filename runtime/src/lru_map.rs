//! A map that evicts the least recently used entries.
//!
//! It has two generations. When the young one is full, it becomes the old one, and the previous old one is dropped; entries that are looked
//! up in the old generation move to the young one. So the map has at most twice `capacity` entries, and the `capacity` most recently used
//! ones are always present. This takes less memory than a linked list of entries.

use std::{hash::Hash, mem};

use foldhash::{HashMap, HashMapExt};

/// A map that keeps at least the `capacity` most recently used entries.
#[derive(Debug)]
pub(crate) struct LruMap<K, V> {
    young: HashMap<K, V>,
    old: HashMap<K, V>,
    capacity: usize,
}

impl<K: Hash + Eq + Clone, V> LruMap<K, V> {
    pub(crate) fn new(capacity: usize) -> Self {
        Self {
            young: HashMap::new(),
            old: HashMap::new(),
            capacity,
        }
    }

    /// Returns the value of a key and marks it as used.
    pub(crate) fn get(&mut self, key: &K) -> Option<&mut V> {
        if let Some(value) = self.old.remove(key) {
            self.insert(key.clone(), value);
        }
        self.young.get_mut(key)
    }

    pub(crate) fn insert(&mut self, key: K, value: V) {
        self.old.remove(&key);
        if self.young.len() >= self.capacity && !self.young.contains_key(&key) {
            self.old = mem::take(&mut self.young);
        }
        self.young.insert(key, value);
    }

    pub(crate) fn remove(&mut self, key: &K) {
        self.young.remove(key);
        self.old.remove(key);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keeps_recently_used_entries_and_bounds_the_size() {
        let mut map = LruMap::new(10);
        map.insert(0, 0);
        for key in 1..1000 {
            map.insert(key, key);
            assert_eq!(map.get(&0), Some(&mut 0), "recently used");
            assert!(map.young.len() + map.old.len() <= 20);
        }
        assert_eq!(map.get(&999), Some(&mut 999));
        assert_eq!(map.get(&500), None);
        map.remove(&999);
        assert_eq!(map.get(&999), None);
    }
}
