//! Random delays, so that candidates which started together do not send requests together.
//!
//! The seed is the identity, which is random itself and fixed in tests.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::time::Duration;

/// A delay grows by up to this factor, as in client-go.
pub(super) const FACTOR: f64 = 1.2;

/// Pseudorandom number generator (`SplitMix64`).
pub(super) struct Jitter(u64);

impl Jitter {
    pub(super) fn seeded(identity: &str) -> Self {
        let mut hasher = DefaultHasher::new();
        identity.hash(&mut hasher);
        Self(hasher.finish())
    }

    /// Returns a delay from `period` to 2.2 times `period`.
    pub(super) fn stretch(&mut self, period: Duration) -> Duration {
        period.mul_f64(1.0 + FACTOR * self.fraction())
    }

    /// Returns a number from 0 (inclusive) to 1 (exclusive).
    fn fraction(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        let high = u32::try_from((mixed ^ (mixed >> 31)) >> 32).expect("32 bits remain");
        f64::from(high) / 4_294_967_296.0
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
