//! Deadlines that also pass while the machine is suspended.
//!
//! On Linux `Instant` is `CLOCK_MONOTONIC`, which stops during suspend, while other candidates keep waiting. So a leader's deadline also
//! counts the suspended time: the difference between `CLOCK_BOOTTIME` and `CLOCK_MONOTONIC`. Other systems are not supported for deployment,
//! and do not count it. Candidates need none of this: if their clock stops, they wait longer.

use std::{ops::Add, time::Duration};

use tokio::time::Instant;

/// Point in time on a clock that advances during suspend.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct BootInstant {
    instant: Instant,
    /// Total time suspended by then.
    suspended: Duration,
}

impl BootInstant {
    pub(crate) fn now() -> Self {
        Self {
            instant: Instant::now(),
            suspended: suspended(),
        }
    }

    /// Returns the instant for timers, which stop during suspend.
    pub(super) fn instant(self) -> Instant {
        self.instant
    }

    /// Returns the time until then, zero if it has passed.
    pub(super) fn remaining(self) -> Duration {
        let now = Self::now();
        let suspended = now.suspended.saturating_sub(self.suspended);
        let remaining = self.instant.saturating_duration_since(now.instant);
        remaining.saturating_sub(suspended)
    }

    pub(super) fn has_passed(self) -> bool {
        self.remaining().is_zero()
    }
}

impl Add<Duration> for BootInstant {
    type Output = Self;

    fn add(self, duration: Duration) -> Self {
        let instant = self.instant + duration;
        Self { instant, ..self }
    }
}

/// Returns how long the machine has been suspended since boot.
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

/// Simulates suspend in tests.
#[cfg(test)]
pub(super) mod suspension {
    use std::{cell::Cell, time::Duration};

    thread_local! {
        static SUSPENDED: Cell<Duration> = const { Cell::new(Duration::ZERO) };
    }

    pub(super) fn suspended() -> Duration {
        SUSPENDED.get()
    }

    /// Suspends the machine, for the test on this thread.
    pub(in crate::leader) fn suspend(time: Duration) {
        SUSPENDED.set(SUSPENDED.get() + time);
    }
}
