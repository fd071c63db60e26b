//! A map that forgets what was not used for long.
//!
//! It has two halves. A full young half becomes the old one, and what the old one held is gone; what is looked up in the old half
//! moves to the young one. So at most twice the capacity is held, and the last `capacity` keys used are always there. No clock,
//! no list.

use std::{hash::Hash, mem};

use foldhash::{HashMap, HashMapExt};

/// See the module.
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

    /// The value of a key, which counts as used.
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
    fn what_was_used_last_is_kept_and_the_rest_is_bounded() {
        let mut recent = LruMap::new(10);
        recent.insert(0, 0);
        for key in 1..1000 {
            recent.insert(key, key);
            assert_eq!(recent.get(&0), Some(&mut 0), "used all the time");
            assert!(recent.young.len() + recent.old.len() <= 20);
        }
        assert_eq!(recent.get(&999), Some(&mut 999));
        assert_eq!(recent.get(&500), None);
        recent.remove(&999);
        assert_eq!(recent.get(&999), None);
    }
}
