//! Random delays, so that candidates which started together do not send requests together.
//!
//! The seed is the identity, which is random itself and fixed in tests.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::time::Duration;

/// A delay grows by up to this factor, as in client-go.
pub(super) const FACTOR: f64 = 1.2;

/// Pseudorandom delays.
pub(super) struct Jitter(fastrand::Rng);

impl Jitter {
    pub(super) fn seeded(identity: &str) -> Self {
        let mut hasher = DefaultHasher::new();
        identity.hash(&mut hasher);
        Self(fastrand::Rng::with_seed(hasher.finish()))
    }

    /// Returns a delay from `period` to 2.2 times `period`.
    pub(super) fn stretch(&mut self, period: Duration) -> Duration {
        period.mul_f64(1.0 + FACTOR * self.0.f64())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn delays_are_between_one_and_2_2_periods() {
        let mut jitter = Jitter::seeded("a");
        let delays: Vec<_> = (0..1000)
            .map(|_| jitter.stretch(Duration::from_secs(2)))
            .collect();
        let (shortest, longest) = (delays.iter().min().unwrap(), delays.iter().max().unwrap());
        assert!(
            *shortest >= Duration::from_secs(2) && *shortest < Duration::from_millis(2100),
            "{shortest:?}"
        );
        assert!(
            *longest < Duration::from_millis(4400) && *longest > Duration::from_millis(4300),
            "{longest:?}"
        );
    }

    #[test]
    fn candidates_have_different_delays() {
        let second = Duration::from_secs(1);
        assert_ne!(
            Jitter::seeded("a").stretch(second),
            Jitter::seeded("b").stretch(second)
        );
    }
}
