//! Cache with a TTL per entry that does not store its keys.
//!
//! A key may be a secret, such as a token. It is replaced by two hashes with random keys, 128 bits together. Nobody outside knows the hash
//! keys, so nobody can construct a colliding token, and entries are small whatever the size of the key.

use std::{
    collections::HashMap,
    hash::{BuildHasher, RandomState},
    sync::{Mutex, PoisonError},
    time::Duration,
};

use tokio::time::Instant;

/// Maximum number of entries. The next to expire are evicted first.
const CAPACITY: usize = 1024;

type Fingerprint = (u64, u64);

/// See the [module](self).
pub(super) struct TtlCache<V> {
    keys: (RandomState, RandomState),
    entries: Mutex<HashMap<Fingerprint, (V, Instant)>>,
}

impl<V: Clone> TtlCache<V> {
    pub(super) fn new() -> Self {
        Self {
            keys: (RandomState::new(), RandomState::new()),
            entries: Mutex::default(),
        }
    }

    /// Returns the value unless it has expired.
    pub(super) fn get(&self, key: &[u8]) -> Option<V> {
        let entries = self.entries.lock().unwrap_or_else(PoisonError::into_inner);
        let (value, expires_at) = entries.get(&self.fingerprint(key))?;
        (Instant::now() < *expires_at).then(|| value.clone())
    }

    /// Inserts a value that expires after `ttl`.
    pub(super) fn insert(&self, key: &[u8], value: V, ttl: Duration) {
        let now = Instant::now();
        let fingerprint = self.fingerprint(key);
        let mut entries = self.entries.lock().unwrap_or_else(PoisonError::into_inner);
        if entries.len() >= CAPACITY {
            entries.retain(|_, (_, expires_at)| now < *expires_at);
        }
        if entries.len() >= CAPACITY {
            let next = entries
                .iter()
                .min_by_key(|(_, (_, expires_at))| *expires_at)
                .map(|(fingerprint, _)| *fingerprint);
            next.map(|next| entries.remove(&next));
        }
        entries.insert(fingerprint, (value, now + ttl));
    }

    fn fingerprint(&self, key: &[u8]) -> Fingerprint {
        (self.keys.0.hash_one(key), self.keys.1.hash_one(key))
    }
}

#[cfg(test)]
mod tests {
    use tokio::time::advance;

    use super::*;

    #[tokio::test(start_paused = true)]
    async fn entries_expire() {
        let cache = TtlCache::new();
        cache.insert(b"a", 1, Duration::from_secs(60));
        cache.insert(b"b", 2, Duration::from_secs(30));
        advance(Duration::from_secs(30)).await;
        assert_eq!(cache.get(b"a"), Some(1));
        assert_eq!(cache.get(b"b"), None);
        assert_eq!(cache.get(b"c"), None);
    }

    #[tokio::test(start_paused = true)]
    async fn a_full_cache_evicts_the_next_to_expire() {
        let cache = TtlCache::new();
        for number in 0..CAPACITY + 10 {
            cache.insert(&number.to_le_bytes(), number, Duration::from_secs(60));
            advance(Duration::from_millis(1)).await;
        }
        assert_eq!(cache.entries.lock().unwrap().len(), CAPACITY);
        assert_eq!(cache.get(&9_usize.to_le_bytes()), None);
        assert_eq!(cache.get(&10_usize.to_le_bytes()), Some(10));
        assert_eq!(cache.get(&(CAPACITY + 9).to_le_bytes()), Some(CAPACITY + 9));
    }
}
