//! The last write to each object, by UID, so that the same state is not sent twice.
//!
//! A cache lags behind the API server. Resource versions are ordered (guaranteed since Kubernetes 1.35, and always true with etcd), so a
//! cached object that is older than the last write is recognized: then the cached object is not compared, only the last write counts. This
//! is limited to half a minute, because restoring etcd from a backup resets the versions.
//!
//! API servers also normalize values (`1000m` becomes `1`, the `stringData` of a Secret becomes `data`), so that the live object never
//! equals the desired state. So the content that resulted from a write is recorded as well: while it is unchanged, the object is up to
//! date. Losing an entry costs one request, never correctness, so the number of entries is bounded.

use std::sync::{Mutex, MutexGuard, PoisonError};

use tokio::time::Instant;

use super::digest::digest;
use crate::lru_map::LruMap;

/// About 80 bytes per entry.
const CAPACITY: usize = 20_000;
/// Seconds that a cache may lag behind a write before a request is sent.
pub(super) const MAX_LAG: u32 = 30;

/// A cached object compared with the last write to it.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum CacheState {
    /// The same state was written last, and the cached object is either its result or older.
    UpToDate,
    /// The cached object is older than the last write, which wrote another state.
    Lagging,
    /// The cached object is older than the last write by more than [`MAX_LAG`].
    Stale,
    /// Not decided by the last write: compare the cached object.
    Unknown,
}

#[derive(Debug)]
struct LastWrite {
    desired: u64,
    version: Version,
    content: u64,
    /// Seconds since creation of the map.
    at: u32,
}

/// A resource version.
#[derive(Debug, PartialEq, Eq)]
enum Version {
    Number(u64),
    /// Has no order.
    Opaque(Box<str>),
}

impl Version {
    fn new(text: &str) -> Self {
        let number = text.parse().map(Self::Number);
        number.unwrap_or_else(|_| Self::Opaque(text.into()))
    }

    fn is_older_than(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Number(version), Self::Number(other)) => version < other,
            _ => false,
        }
    }
}

/// The last write to each object. `desired` and `content` are digests.
#[derive(Debug)]
pub(super) struct LastWrites {
    created: Instant,
    /// By the digest of the UID.
    writes: Mutex<LruMap<u64, LastWrite>>,
}

impl Default for LastWrites {
    fn default() -> Self {
        Self {
            created: Instant::now(),
            writes: Mutex::new(LruMap::new(CAPACITY)),
        }
    }
}

impl LastWrites {
    /// Records a write. `version` and `content` are those of the response.
    pub(super) fn record(&self, uid: &str, desired: u64, version: &str, content: u64) {
        let write = LastWrite {
            desired,
            version: Version::new(version),
            content,
            at: self.now(),
        };
        self.writes().insert(digest(uid), write);
    }

    pub(super) fn remove(&self, uid: &str) {
        self.writes().remove(&digest(uid));
    }

    /// Compares the resource version of a cached object with the last write.
    pub(super) fn cache_state(&self, uid: &str, desired: u64, version: &str) -> CacheState {
        let mut writes = self.writes();
        let Some(last) = writes.get(&digest(uid)) else {
            return CacheState::Unknown;
        };
        let version = Version::new(version);
        let is_same = last.desired == desired;
        if last.version == version && is_same {
            return CacheState::UpToDate;
        }
        if !version.is_older_than(&last.version) {
            return CacheState::Unknown;
        }
        match (is_same, self.now() - last.at < MAX_LAG) {
            (true, true) => CacheState::UpToDate,
            (false, true) => CacheState::Lagging,
            (_, false) => CacheState::Stale,
        }
    }

    /// Returns whether a cached object is older than the last write, and the cache is expected to catch up soon.
    pub(super) fn is_newer_than(&self, uid: &str, version: &str) -> bool {
        let mut writes = self.writes();
        let last = writes.get(&digest(uid));
        last.is_some_and(|last| {
            Version::new(version).is_older_than(&last.version) && self.now() - last.at < MAX_LAG
        })
    }

    /// Returns whether the last write wrote the same state and resulted in the same content.
    pub(super) fn resulted_in(&self, uid: &str, desired: u64, content: u64) -> bool {
        let mut writes = self.writes();
        let last = writes.get(&digest(uid));
        last.is_some_and(|last| last.desired == desired && last.content == content)
    }

    fn now(&self) -> u32 {
        u32::try_from(self.created.elapsed().as_secs()).unwrap_or(u32::MAX)
    }

    fn writes(&self) -> MutexGuard<'_, LruMap<u64, LastWrite>> {
        // Nothing panics while the lock is held.
        self.writes.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[tokio::test(start_paused = true)]
    async fn a_cached_object_is_compared_with_the_last_write() {
        let writes = LastWrites::default();
        assert_eq!(writes.cache_state("u", 1, "10"), CacheState::Unknown);
        writes.record("u", 1, "11", 7);

        let cases = [
            ("11", 1, CacheState::UpToDate, "result of the write"),
            ("11", 2, CacheState::Unknown, "another desired state"),
            ("9", 1, CacheState::UpToDate, "lagging cache"),
            ("9", 2, CacheState::Lagging, "another desired state"),
            ("12", 1, CacheState::Unknown, "changed since"),
            ("abc", 1, CacheState::Unknown, "versions without order"),
        ];
        for (version, desired, expected, why) in cases {
            let state = writes.cache_state("u", desired, version);
            assert_eq!(state, expected, "{why}");
        }
        assert_eq!(writes.cache_state("other", 1, "11"), CacheState::Unknown);
        let newer = ["9", "11", "12", "abc"].map(|version| writes.is_newer_than("u", version));
        assert_eq!(newer, [true, false, false, false]);
        assert!(writes.resulted_in("u", 1, 7));
        assert!(!writes.resulted_in("u", 2, 7));
        assert!(!writes.resulted_in("u", 1, 8));
    }

    #[tokio::test(start_paused = true)]
    async fn a_cache_that_does_not_catch_up_is_stale() {
        let writes = LastWrites::default();
        writes.record("u", 1, "11", 7);
        tokio::time::advance(Duration::from_secs(MAX_LAG.into())).await;
        assert_eq!(writes.cache_state("u", 1, "9"), CacheState::Stale);
        assert!(!writes.is_newer_than("u", "9"));
        assert_eq!(writes.cache_state("u", 1, "11"), CacheState::UpToDate);
        writes.remove("u");
        assert_eq!(writes.cache_state("u", 1, "9"), CacheState::Unknown);
    }
}
