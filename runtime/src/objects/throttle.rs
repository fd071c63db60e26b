//! Limits the rate of writes to one object, for example if another controller reverts each write or if every reconcile computes a
//! different desired state. Without a limit, such a loop runs as fast as the API server responds.
//!
//! Ten writes per minute are not delayed. After that, the delay doubles with each write, from one second to one minute, until the object
//! has not been written for a minute longer than the delay. Objects are identified by name, so that a recreated object counts as the same.
//! Losing an entry only resets a counter, so the number of entries is bounded.

use std::sync::{Mutex, MutexGuard, PoisonError};

use tokio::time::Instant;

use crate::lru_map::LruMap;

/// Contested objects are written often, so tracking the most recently written ones is enough.
const MAX_OBJECTS: usize = 4_000;
/// Seconds.
const WINDOW: u32 = 60;
/// Writes within a window that are not delayed.
const MAX_FREE_WRITES: u8 = 10;
/// Seconds.
const MAX_DELAY: u32 = 60;

/// Writes to one object. Times are in seconds since creation of the throttle.
#[derive(Debug, Clone, Copy, Default)]
struct WriteHistory {
    window_start: u32,
    in_window: u8,
    last: u32,
    /// Number of delayed writes; 0 while writes are not delayed.
    delayed: u8,
    /// Whether the current delay was returned.
    is_reported: bool,
}

impl WriteHistory {
    /// Returns the seconds to wait after the last write.
    fn delay(&self) -> u32 {
        match self.delayed {
            0 => 0,
            delayed => 1_u32
                .checked_shl(u32::from(delayed) - 1)
                .map_or(MAX_DELAY, |delay| delay.min(MAX_DELAY)),
        }
    }

    fn is_expired(&self, now: u32) -> bool {
        now - self.last > self.delay() + WINDOW
    }

    fn add(&mut self, now: u32) {
        if self.is_expired(now) || (self.delayed == 0 && now - self.window_start >= WINDOW) {
            *self = Self {
                window_start: now,
                ..Self::default()
            };
        }
        self.last = now;
        self.is_reported = false;
        self.in_window = self.in_window.saturating_add(1);
        if self.in_window >= MAX_FREE_WRITES {
            self.delayed = self.delayed.saturating_add(1);
        }
    }
}

/// Delay of a write.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Delay {
    pub(super) seconds: u32,
    /// Whether this is the first delayed attempt since the last write.
    pub(super) is_first: bool,
}

/// Rate limit of writes per object. Objects are passed as digests.
#[derive(Debug)]
pub(super) struct Throttle {
    created: Instant,
    writes: Mutex<LruMap<u64, WriteHistory>>,
}

impl Default for Throttle {
    fn default() -> Self {
        Self {
            created: Instant::now(),
            writes: Mutex::new(LruMap::new(MAX_OBJECTS)),
        }
    }
}

impl Throttle {
    /// Returns the delay of the next write, or `None` if it is allowed.
    pub(super) fn delay(&self, object: u64) -> Option<Delay> {
        let now = self.now();
        let mut writes = self.writes();
        let history = writes.get(&object)?;
        let seconds = (history.last + history.delay()).saturating_sub(now);
        if seconds == 0 {
            return None;
        }
        let is_first = !std::mem::replace(&mut history.is_reported, true);
        Some(Delay { seconds, is_first })
    }

    pub(super) fn record_write(&self, object: u64) {
        let now = self.now();
        let mut writes = self.writes();
        if let Some(history) = writes.get(&object) {
            history.add(now);
            return;
        }
        let mut history = WriteHistory {
            window_start: now,
            last: now,
            ..WriteHistory::default()
        };
        history.add(now);
        writes.insert(object, history);
    }

    fn now(&self) -> u32 {
        u32::try_from(self.created.elapsed().as_secs()).unwrap_or(u32::MAX)
    }

    fn writes(&self) -> MutexGuard<'_, LruMap<u64, WriteHistory>> {
        // Nothing panics while the lock is held.
        self.writes.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    /// Attempts ten writes per second and returns the number of allowed writes.
    async fn writes(throttle: &Throttle, seconds: u32) -> usize {
        let mut count = 0;
        for _ in 0..seconds * 10 {
            if throttle.delay(1).is_none() {
                throttle.record_write(1);
                count += 1;
            }
            tokio::time::advance(Duration::from_millis(100)).await;
        }
        count
    }

    #[tokio::test(start_paused = true)]
    async fn slows_down_to_one_write_per_minute() {
        let throttle = Throttle::default();
        let first = writes(&throttle, 60).await;
        assert!((14..=16).contains(&first), "{first}");
        writes(&throttle, 60).await;
        let later = writes(&throttle, 600).await;
        assert!((9..=11).contains(&later), "{later}");
    }

    #[tokio::test(start_paused = true)]
    async fn does_not_delay_nine_writes_per_minute() {
        let throttle = Throttle::default();
        for _ in 0..100 {
            assert_eq!(throttle.delay(1), None);
            throttle.record_write(1);
            tokio::time::advance(Duration::from_millis(6700)).await;
        }
    }

    #[tokio::test(start_paused = true)]
    async fn resets_when_an_object_is_not_written() {
        let throttle = Throttle::default();
        writes(&throttle, 600).await;
        assert_eq!(throttle.delay(2), None, "another object");
        tokio::time::advance(Duration::from_secs(121)).await;
        let again = writes(&throttle, 60).await;
        assert!(again >= 14, "{again}");
    }

    #[tokio::test(start_paused = true)]
    async fn reports_each_delay_once() {
        let throttle = Throttle::default();
        for _ in 0..MAX_FREE_WRITES {
            throttle.record_write(1);
        }
        let first: Vec<_> = (0..3)
            .map(|_| throttle.delay(1).unwrap().is_first)
            .collect();
        assert_eq!(first, [true, false, false]);
        tokio::time::advance(Duration::from_secs(1)).await;
        assert_eq!(throttle.delay(1), None);
        throttle.record_write(1);
        let delay = throttle.delay(1).unwrap();
        assert_eq!((delay.seconds, delay.is_first), (2, true));
    }
}
