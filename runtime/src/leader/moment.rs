//! Deadlines that pass while the machine is suspended.
//!
//! On Linux the monotonic clock, which `Instant` shows, stands still during suspend, and the leases that others wait for do not. So a deadline of a leader
//! also counts the time suspended, which is how far `CLOCK_BOOTTIME` has moved away from `CLOCK_MONOTONIC`. On other systems, which no operator is deployed
//! to, that time is not counted. A candidate needs none of this: if its clock stands still it waits longer.

use std::{ops::Add, time::Duration};

use tokio::time::Instant;

/// A moment, by a clock that goes on during suspend.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Moment {
    instant: Instant,
    /// For how long the machine was suspended until then.
    suspended: Duration,
}

impl Moment {
    pub(crate) fn now() -> Self {
        Self {
            instant: Instant::now(),
            suspended: suspended(),
        }
    }

    /// For timers, which stand still during suspend.
    pub(super) fn instant(self) -> Instant {
        self.instant
    }

    /// How long it is until then; zero if it has passed.
    pub(super) fn left(self) -> Duration {
        let now = Self::now();
        let suspended = now.suspended.saturating_sub(self.suspended);
        let left = self.instant.saturating_duration_since(now.instant);
        left.saturating_sub(suspended)
    }

    pub(super) fn has_passed(self) -> bool {
        self.left().is_zero()
    }
}

impl Add<Duration> for Moment {
    type Output = Self;

    fn add(self, duration: Duration) -> Self {
        let instant = self.instant + duration;
        Self { instant, ..self }
    }
}

/// For how long the machine has been suspended since it was started.
#[cfg(all(target_os = "linux", not(test)))]
fn suspended() -> Duration {
    use rustix::time::{ClockId, clock_gettime};
    let [monotonic, boot] = [ClockId::Monotonic, ClockId::Boottime]
        .map(|clock| Duration::try_from(clock_gettime(clock)).unwrap_or_default());
    boot.saturating_sub(monotonic)
}

#[cfg(all(not(target_os = "linux"), not(test)))]
fn suspended() -> Duration {
    Duration::ZERO
}

#[cfg(test)]
use suspension::suspended;

/// Tests suspend the machine as they like.
#[cfg(test)]
pub(super) mod suspension {
    use std::{cell::Cell, time::Duration};

    thread_local! {
        static SUSPENDED: Cell<Duration> = const { Cell::new(Duration::ZERO) };
    }

    pub(super) fn suspended() -> Duration {
        SUSPENDED.get()
    }

    /// Suspends the machine of this thread's test.
    pub(in crate::leader) fn suspend(time: Duration) {
        SUSPENDED.set(SUSPENDED.get() + time);
    }
}
