//! Rate limit of events per object, like the spam filter of client-go: a burst of 25, then one every five minutes.

use std::time::Duration;

use tokio::time::Instant;

use crate::lru_map::LruMap;

const BURST: u32 = 25;
const REFILL: Duration = Duration::from_secs(300);
/// Maximum number of tracked objects, as in client-go.
const MAX_OBJECTS: usize = 4096;

#[derive(Debug)]
struct TokenBucket {
    tokens: u32,
    /// Time of the last refill.
    refilled: Instant,
}

/// Token bucket per object.
#[derive(Debug)]
pub(super) struct EventLimiter {
    /// By the digest of the object.
    buckets: LruMap<u64, TokenBucket>,
}

impl Default for EventLimiter {
    fn default() -> Self {
        Self {
            buckets: LruMap::new(MAX_OBJECTS),
        }
    }
}

impl EventLimiter {
    /// Takes a token. Returns `false` if the object has none left.
    pub(super) fn try_acquire(&mut self, object: u64) -> bool {
        let now = Instant::now();
        let Some(bucket) = self.buckets.get(&object) else {
            let bucket = TokenBucket {
                tokens: BURST - 1,
                refilled: now,
            };
            self.buckets.insert(object, bucket);
            return true;
        };
        while bucket.tokens < BURST && now.duration_since(bucket.refilled) >= REFILL {
            bucket.tokens += 1;
            bucket.refilled += REFILL;
        }
        if bucket.tokens == BURST {
            bucket.refilled = now;
        }
        let is_allowed = bucket.tokens > 0;
        bucket.tokens = bucket.tokens.saturating_sub(1);
        is_allowed
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn allowed(limiter: &mut EventLimiter, object: u64, attempts: u32) -> usize {
        (0..attempts)
            .filter(|_| limiter.try_acquire(object))
            .count()
    }

    #[tokio::test(start_paused = true)]
    async fn allows_a_burst_and_then_one_event_every_five_minutes() {
        let mut limiter = EventLimiter::default();
        assert_eq!(allowed(&mut limiter, 1, 100), 25);
        assert_eq!(allowed(&mut limiter, 2, 100), 25, "another object");
        tokio::time::advance(Duration::from_secs(299)).await;
        assert_eq!(allowed(&mut limiter, 1, 100), 0);
        tokio::time::advance(Duration::from_secs(1)).await;
        assert_eq!(allowed(&mut limiter, 1, 100), 1);
        tokio::time::advance(REFILL * 2).await;
        assert_eq!(allowed(&mut limiter, 1, 100), 2);
        tokio::time::advance(REFILL * 1000).await;
        assert_eq!(allowed(&mut limiter, 1, 100), 25, "at most a burst");
    }
}
