//! What was written last, by the object's uid, so that the same is not sent twice.
//!
//! A cache lags behind the API server. Versions are ordered (Kubernetes promises it since 1.35, and etcd always did), so a cached
//! object that is older than our own last write is known to be: then the cache says nothing, and only what was written counts. It
//! is believed for half a minute and no longer, for after a restore of etcd versions start again from an older one.
//!
//! Servers also normalise what they get (`1000m` becomes `1`, a Secret's `stringData` becomes `data`), so that what is wanted is
//! never equal to what is there. For this the content that a write led to is remembered: as long as the object has it, all is
//! well. Losing an entry costs one request, never correctness: so the number of entries is bounded.

use std::sync::{Mutex, MutexGuard, PoisonError};

use tokio::time::Instant;

use super::digest::digest;
use crate::lru_map::LruMap;

/// About 80 bytes each, with the room that a map leaves.
const CAPACITY: usize = 20_000;
/// How many seconds a cache may lag behind our own write before we ask the server.
pub(super) const LAG: u32 = 30;

/// What is known of an object without looking into it.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Verdict {
    /// The same was written, and nobody can have changed it as far as the cache knows.
    Written,
    /// The cached object is older than our last write, which was another one: it must not be compared. The cache soon has that write.
    Lagging,
    /// The same, but for so long that the cache may never have it.
    Outdated,
    /// The cached object must be compared.
    Unknown,
}

#[derive(Debug)]
struct Written {
    wanted: u64,
    version: Version,
    content: u64,
    /// In seconds since the memory began.
    at: u32,
}

/// The version of an object.
#[derive(Debug, PartialEq, Eq)]
enum Version {
    Number(u64),
    /// Has no order.
    Other(Box<str>),
}

impl Version {
    fn new(text: &str) -> Self {
        let number = text.parse().map(Self::Number);
        number.unwrap_or_else(|_| Self::Other(text.into()))
    }

    fn is_older(&self, than: &Self) -> bool {
        match (self, than) {
            (Self::Number(version), Self::Number(than)) => version < than,
            _ => false,
        }
    }
}

/// See the module.
#[derive(Debug)]
pub(super) struct Memory {
    began: Instant,
    /// By a hash of the uid.
    written: Mutex<LruMap<u64, Written>>,
}

impl Default for Memory {
    fn default() -> Self {
        Self {
            began: Instant::now(),
            written: Mutex::new(LruMap::new(CAPACITY)),
        }
    }
}

impl Memory {
    /// `wanted` and `content` are hashes, see `digest`; `version` is the one that the server answered with.
    pub(super) fn remember(&self, uid: &str, wanted: u64, version: &str, content: u64) {
        let written = Written {
            wanted,
            version: Version::new(version),
            content,
            at: self.now(),
        };
        self.written().insert(digest(uid), written);
    }

    pub(super) fn forget(&self, uid: &str) {
        self.written().remove(&digest(uid));
    }

    /// What a cached object of this version is worth.
    pub(super) fn verdict(&self, uid: &str, wanted: u64, version: &str) -> Verdict {
        let mut memory = self.written();
        let Some(last) = memory.get(&digest(uid)) else {
            return Verdict::Unknown;
        };
        let version = Version::new(version);
        let same = last.wanted == wanted;
        if last.version == version {
            return if same {
                Verdict::Written
            } else {
                Verdict::Unknown
            };
        }
        if !version.is_older(&last.version) {
            return Verdict::Unknown;
        }
        match (same, self.now() - last.at < LAG) {
            (true, true) => Verdict::Written,
            (false, true) => Verdict::Lagging,
            (_, false) => Verdict::Outdated,
        }
    }

    /// Whether a cached object of this version is older than our last write, and the cache will soon have that.
    pub(super) fn is_ahead_of(&self, uid: &str, version: &str) -> bool {
        let mut memory = self.written();
        let last = memory.get(&digest(uid));
        last.is_some_and(|last| {
            Version::new(version).is_older(&last.version) && self.now() - last.at < LAG
        })
    }

    /// Whether writing the same led to the same content before.
    pub(super) fn led_to(&self, uid: &str, wanted: u64, content: u64) -> bool {
        let mut memory = self.written();
        let last = memory.get(&digest(uid));
        last.is_some_and(|last| last.wanted == wanted && last.content == content)
    }

    fn now(&self) -> u32 {
        // It is enough for a century.
        u32::try_from(self.began.elapsed().as_secs()).unwrap_or(u32::MAX)
    }

    fn written(&self) -> MutexGuard<'_, LruMap<u64, Written>> {
        // Nothing panics while it is held, and a map is whole at any time.
        self.written.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[tokio::test(start_paused = true)]
    async fn a_cached_object_is_judged_by_what_was_written() {
        let memory = Memory::default();
        assert_eq!(
            memory.verdict("u", 1, "10"),
            Verdict::Unknown,
            "never written"
        );
        memory.remember("u", 1, "11", 7);

        let cases = [
            ("11", 1, Verdict::Written, "what our write led to"),
            ("11", 2, Verdict::Unknown, "something else is wanted now"),
            (
                "9",
                1,
                Verdict::Written,
                "the cache lags, and will bring our write",
            ),
            (
                "9",
                2,
                Verdict::Lagging,
                "the cache lags, and may hold by chance what is wanted now",
            ),
            ("12", 1, Verdict::Unknown, "somebody changed it since"),
            ("abc", 1, Verdict::Unknown, "versions without order"),
        ];
        for (version, wanted, expected, why) in cases {
            assert_eq!(memory.verdict("u", wanted, version), expected, "{why}");
        }
        assert_eq!(memory.verdict("other", 1, "11"), Verdict::Unknown);
        let ahead = ["9", "11", "12", "abc"].map(|version| memory.is_ahead_of("u", version));
        assert_eq!(ahead, [true, false, false, false]);
        assert!(memory.led_to("u", 1, 7));
        assert!(!memory.led_to("u", 2, 7));
        assert!(!memory.led_to("u", 1, 8));
    }

    #[tokio::test(start_paused = true)]
    async fn a_cache_that_stays_behind_is_not_believed_for_ever() {
        let memory = Memory::default();
        memory.remember("u", 1, "11", 7);
        tokio::time::advance(Duration::from_secs(LAG.into())).await;
        assert_eq!(memory.verdict("u", 1, "9"), Verdict::Outdated);
        assert!(!memory.is_ahead_of("u", "9"));
        assert_eq!(memory.verdict("u", 1, "11"), Verdict::Written);
        memory.forget("u");
        assert_eq!(memory.verdict("u", 1, "9"), Verdict::Unknown);
    }
}
