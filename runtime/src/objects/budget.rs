//! How many events an object may have: client-go's spam filter, 25 at once and then one in five minutes.

use std::time::Duration;

use tokio::time::Instant;

use crate::lru_map::LruMap;

const BURST: u32 = 25;
const REFILL: Duration = Duration::from_secs(300);
/// Objects that are remembered, as in client-go.
const OBJECTS: usize = 4096;

#[derive(Debug)]
struct Tokens {
    left: u32,
    /// When the last token came back.
    since: Instant,
}

/// See the module.
#[derive(Debug)]
pub(super) struct Budget {
    /// By a hash of what identifies them.
    objects: LruMap<u64, Tokens>,
}

impl Default for Budget {
    fn default() -> Self {
        Self {
            objects: LruMap::new(OBJECTS),
        }
    }
}

impl Budget {
    /// Whether the object may have one more event, which then counts.
    pub(super) fn spend(&mut self, object: u64) -> bool {
        let now = Instant::now();
        let Some(tokens) = self.objects.get(&object) else {
            let left = BURST - 1;
            self.objects.insert(object, Tokens { left, since: now });
            return true;
        };
        while tokens.left < BURST && now.duration_since(tokens.since) >= REFILL {
            tokens.left += 1;
            tokens.since += REFILL;
        }
        if tokens.left == BURST {
            tokens.since = now;
        }
        let may = tokens.left > 0;
        tokens.left = tokens.left.saturating_sub(1);
        may
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn allowed(budget: &mut Budget, object: u64, tries: u32) -> usize {
        (0..tries).filter(|_| budget.spend(object)).count()
    }

    #[tokio::test(start_paused = true)]
    async fn a_burst_is_let_through_and_then_one_in_five_minutes() {
        let mut budget = Budget::default();
        assert_eq!(allowed(&mut budget, 1, 100), 25);
        assert_eq!(allowed(&mut budget, 2, 100), 25, "each object has its own");
        tokio::time::advance(Duration::from_secs(299)).await;
        assert_eq!(allowed(&mut budget, 1, 100), 0);
        tokio::time::advance(Duration::from_secs(1)).await;
        assert_eq!(allowed(&mut budget, 1, 100), 1);
        tokio::time::advance(REFILL * 2).await;
        assert_eq!(allowed(&mut budget, 1, 100), 2);
        tokio::time::advance(REFILL * 1000).await;
        assert_eq!(allowed(&mut budget, 1, 100), 25, "never more than a burst");
    }
}
