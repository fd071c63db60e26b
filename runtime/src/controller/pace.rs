//! How many retries there are of all objects together.

use std::time::Duration;

use tokio::time::Instant;

/// A token bucket: a number of retries at once, and after those one for each interval.
///
/// It is kept as the moment at which the bucket is full again.
#[derive(Debug)]
pub(super) struct Pace {
    interval: Duration,
    burst: u32,
    full_at: Option<Instant>,
}

impl Pace {
    /// A full bucket.
    pub(super) fn new(interval: Duration, burst: u32) -> Self {
        Self {
            interval,
            burst,
            full_at: None,
        }
    }

    /// Takes a token, and says how long to wait for it.
    pub(super) fn take(&mut self) -> Duration {
        let now = Instant::now();
        let full_at = self.full_at.map_or(now, |full_at| full_at.max(now));
        // An interval beyond all time cannot be waited for, nor added.
        let full_at = full_at.checked_add(self.interval).unwrap_or(full_at);
        self.full_at = Some(full_at);
        let missing = full_at.duration_since(now);
        missing.saturating_sub(self.interval.saturating_mul(self.burst))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn after_the_burst_each_waits_one_interval_longer() {
        let mut pace = Pace::new(Duration::from_millis(100), 3);
        let waits: Vec<_> = (0..5).map(|_| pace.take().as_millis()).collect();
        assert_eq!(waits, [0, 0, 0, 100, 200]);
    }

    #[tokio::test(start_paused = true)]
    async fn the_bucket_fills_with_time_but_not_above_its_burst() {
        let mut pace = Pace::new(Duration::from_millis(100), 2);
        while pace.take().is_zero() {}
        tokio::time::advance(Duration::from_secs(3600)).await;
        let waits: Vec<_> = (0..3).map(|_| pace.take().as_millis()).collect();
        assert_eq!(waits, [0, 0, 100]);
    }
}
