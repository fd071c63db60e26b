//! Slows down writes to an object that is written again and again: another controller reverts each of them, or the desired state is a
//! different one in every reconcile. Without it such a fight runs as fast as the API server answers.
//!
//! Ten writes within a minute are free. Then each write has to wait twice as long as the one before, from a second to a minute, until the
//! object was left alone for a minute longer than it had to. It costs nothing but when something is sent. Objects are told apart by name,
//! so that one which is deleted and created again counts as the same. Losing an entry loses a count, so their number is bounded.

use std::sync::{Mutex, MutexGuard, PoisonError};

use tokio::time::Instant;

use crate::lru_map::LruMap;

/// Objects that fight are written often, so the last ones written are enough; with all of a large cluster the memory would be noticed.
const OBJECTS: usize = 4_000;
/// In seconds.
const WINDOW: u32 = 60;
/// Writes within a window that are not delayed.
const FREE: u8 = 10;
/// The longest delay, in seconds.
const LONGEST: u32 = 60;

/// Writes to one object. Times are in seconds since the throttle began.
#[derive(Debug, Clone, Copy, Default)]
struct Writes {
    window: u32,
    in_window: u8,
    last: u32,
    /// How often the delay was doubled; 0 while writes are free.
    step: u8,
    /// Whether the current delay was reported.
    reported: bool,
}

impl Writes {
    /// How long to wait after the last write.
    fn delay(&self) -> u32 {
        match self.step {
            0 => 0,
            step => 1_u32
                .checked_shl(u32::from(step) - 1)
                .map_or(LONGEST, |delay| delay.min(LONGEST)),
        }
    }

    fn is_over(&self, now: u32) -> bool {
        now - self.last > self.delay() + WINDOW
    }

    fn add(&mut self, now: u32) {
        if self.is_over(now) || (self.step == 0 && now - self.window >= WINDOW) {
            *self = Self {
                window: now,
                ..Self::default()
            };
        }
        self.last = now;
        self.reported = false;
        self.in_window = self.in_window.saturating_add(1);
        if self.in_window >= FREE {
            self.step = self.step.saturating_add(1);
        }
    }
}

/// A write that has to wait.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Hold {
    /// For so many seconds.
    pub(super) seconds: u32,
    /// It is the first one since the last write.
    pub(super) is_news: bool,
}

/// See the module.
#[derive(Debug)]
pub(super) struct Throttle {
    began: Instant,
    writes: Mutex<LruMap<u64, Writes>>,
}

impl Default for Throttle {
    fn default() -> Self {
        Self {
            began: Instant::now(),
            writes: Mutex::new(LruMap::new(OBJECTS)),
        }
    }
}

impl Throttle {
    /// Whether the next write to an object has to wait.
    pub(super) fn hold(&self, object: u64) -> Option<Hold> {
        let now = self.now();
        let mut writes = self.writes();
        let writes = writes.get(&object)?;
        let seconds = (writes.last + writes.delay()).saturating_sub(now);
        if seconds == 0 {
            return None;
        }
        let is_news = !std::mem::replace(&mut writes.reported, true);
        Some(Hold { seconds, is_news })
    }

    /// An object was written.
    pub(super) fn wrote(&self, object: u64) {
        let now = self.now();
        let mut writes = self.writes();
        if let Some(writes) = writes.get(&object) {
            writes.add(now);
            return;
        }
        let mut first = Writes {
            window: now,
            last: now,
            ..Writes::default()
        };
        first.add(now);
        writes.insert(object, first);
    }

    fn now(&self) -> u32 {
        // It is enough for a century.
        u32::try_from(self.began.elapsed().as_secs()).unwrap_or(u32::MAX)
    }

    fn writes(&self) -> MutexGuard<'_, LruMap<u64, Writes>> {
        // Nothing panics while it is held, and a map is whole at any time.
        self.writes.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    /// How often an object is written in so many seconds, if that is tried ten times a second.
    async fn writes(throttle: &Throttle, seconds: u32) -> usize {
        let mut count = 0;
        for _ in 0..seconds * 10 {
            if throttle.hold(1).is_none() {
                throttle.wrote(1);
                count += 1;
            }
            tokio::time::advance(Duration::from_millis(100)).await;
        }
        count
    }

    #[tokio::test(start_paused = true)]
    async fn a_fight_becomes_one_write_a_minute() {
        let throttle = Throttle::default();
        let first = writes(&throttle, 60).await;
        assert!((14..=16).contains(&first), "{first}");
        writes(&throttle, 60).await;
        let later = writes(&throttle, 600).await;
        assert!((9..=11).contains(&later), "{later}");
    }

    #[tokio::test(start_paused = true)]
    async fn nine_writes_a_minute_are_free() {
        let throttle = Throttle::default();
        for _ in 0..100 {
            assert_eq!(throttle.hold(1), None);
            throttle.wrote(1);
            tokio::time::advance(Duration::from_millis(6700)).await;
        }
    }

    #[tokio::test(start_paused = true)]
    async fn an_object_that_is_left_alone_is_free_again() {
        let throttle = Throttle::default();
        writes(&throttle, 600).await;
        assert_eq!(throttle.hold(2), None, "others always were");
        tokio::time::advance(Duration::from_secs(121)).await;
        let again = writes(&throttle, 60).await;
        assert!(again >= 14, "{again}");
    }

    #[tokio::test(start_paused = true)]
    async fn each_delay_is_news_once() {
        let throttle = Throttle::default();
        for _ in 0..FREE {
            throttle.wrote(1);
        }
        let news: Vec<_> = (0..3).map(|_| throttle.hold(1).unwrap().is_news).collect();
        assert_eq!(news, [true, false, false]);
        tokio::time::advance(Duration::from_secs(1)).await;
        assert_eq!(throttle.hold(1), None);
        throttle.wrote(1);
        let hold = throttle.hold(1).unwrap();
        assert_eq!((hold.seconds, hold.is_news), (2, true));
    }
}
