//! Token bucket that limits retries across all objects.

use std::time::Duration;

use tokio::time::Instant;

/// Allows `burst` retries at once, then one per `interval`.
///
/// Its state is the time at which the bucket is full again.
#[derive(Debug)]
pub(super) struct TokenBucket {
    interval: Duration,
    burst: u32,
    full_at: Option<Instant>,
}

impl TokenBucket {
    /// Creates a full bucket.
    pub(super) fn new(interval: Duration, burst: u32) -> Self {
        Self {
            interval,
            burst,
            full_at: None,
        }
    }

    /// Takes a token and returns how long to wait for it.
    pub(super) fn take(&mut self) -> Duration {
        let now = Instant::now();
        let full_at = self.full_at.map_or(now, |full_at| full_at.max(now));
        // Saturate: an interval this long never elapses.
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
    async fn after_the_burst_each_token_takes_one_interval_longer() {
        let mut bucket = TokenBucket::new(Duration::from_millis(100), 3);
        let waits: Vec<_> = (0..5).map(|_| bucket.take().as_millis()).collect();
        assert_eq!(waits, [0, 0, 0, 100, 200]);
    }

    #[tokio::test(start_paused = true)]
    async fn refills_with_time_up_to_the_burst() {
        let mut bucket = TokenBucket::new(Duration::from_millis(100), 2);
        while bucket.take().is_zero() {}
        tokio::time::advance(Duration::from_secs(3600)).await;
        let waits: Vec<_> = (0..3).map(|_| bucket.take().as_millis()).collect();
        assert_eq!(waits, [0, 0, 100]);
    }
}
