//! Retry policy: exponential backoff per object and an overall rate limit.

use std::{
    hash::{BuildHasher, Hasher, RandomState},
    sync::{Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use foldhash::{HashMap, HashMapExt};
use kube::runtime::reflector::ObjectRef;

use super::token_bucket::TokenBucket;
use crate::store::{CachedResource, ObjectKey};

/// Computes the retry delay of failed objects.
///
/// The defaults are client-go's: exponential backoff per object from 5 ms to 1000 s, and a token bucket over all objects of 10 retries per
/// second with a burst of 100. The longer delay applies. A random jitter of up to 20 % spreads objects that fail together. The number of
/// retries is unlimited.
///
/// Pass it to [`Controller::retry`](super::Controller::retry). It also works with kube's own controller, whose `error_policy` only
/// sees failures, so the reconciler reports successes itself:
///
/// ```no_run
/// use std::sync::Arc;
///
/// use futures::StreamExt;
/// use kb::controller::RetryPolicy;
/// use kb::k8s_openapi::api::core::v1::ConfigMap;
/// use kube::runtime::{Controller, controller::Action, reflector::ObjectRef, watcher};
/// use kube::{Api, Client};
///
/// async fn reconcile(object: Arc<ConfigMap>, retry: Arc<RetryPolicy<ConfigMap>>) -> kube::Result<Action> {
///     // Create or update the owned objects.
///     retry.forget(&ObjectRef::from_obj(&*object));
///     Ok(Action::await_change())
/// }
///
/// fn error_policy(object: Arc<ConfigMap>, _: &kube::Error, retry: Arc<RetryPolicy<ConfigMap>>) -> Action {
///     let delay = retry.record_failure(&ObjectRef::from_obj(&*object));
///     delay.map_or_else(Action::await_change, Action::requeue)
/// }
///
/// # async fn wrapper(client: Client) {
/// let retry = Arc::new(RetryPolicy::default().max_retries(20));
/// Controller::new(Api::<ConfigMap>::all(client), watcher::Config::default())
///     .run(reconcile, error_policy, retry)
///     .for_each(|_| async {})
///     .await;
/// # }
/// ```
#[derive(Debug)]
pub struct RetryPolicy<K: CachedResource> {
    initial: Duration,
    max: Duration,
    jitter: f64,
    max_retries: Option<u32>,
    state: Mutex<State<K>>,
}

#[derive(Debug)]
struct State<K: CachedResource> {
    failures: HashMap<ObjectRef<K>, u32>,
    bucket: TokenBucket,
}

impl<K: CachedResource> Default for RetryPolicy<K> {
    fn default() -> Self {
        Self {
            initial: Duration::from_millis(5),
            max: Duration::from_secs(1000),
            jitter: 0.2,
            max_retries: None,
            state: Mutex::new(State {
                failures: HashMap::new(),
                bucket: TokenBucket::new(Duration::from_millis(100), 100),
            }),
        }
    }
}

impl<K: CachedResource> RetryPolicy<K> {
    /// Sets the delay after the first failure of an object and the maximum delay.
    #[must_use]
    pub fn backoff(self, initial: Duration, max: Duration) -> Self {
        Self {
            initial,
            max,
            ..self
        }
    }

    /// Sets the jitter: the fraction of a delay that is randomly added to it, from 0 (none) to 1. With 0.2, one second becomes up to 1.2 s.
    #[must_use]
    pub fn jitter(self, factor: f64) -> Self {
        let jitter = factor.clamp(0.0, 1.0);
        Self { jitter, ..self }
    }

    /// Limits the retries of an object. After that many it is not reconciled until it changes.
    #[must_use]
    pub fn max_retries(self, max: u32) -> Self {
        Self {
            max_retries: Some(max),
            ..self
        }
    }

    /// Limits the retries of all objects together to `burst` at once and then one per `interval`.
    #[must_use]
    pub fn rate(self, interval: Duration, burst: u32) -> Self {
        self.state().bucket = TokenBucket::new(interval, burst);
        self
    }

    /// Records a failure of `object` and returns the delay before its retry, or `None` if its retries are exhausted. In that case its failure
    /// count is reset, so that a change gives it all retries again.
    pub fn record_failure(&self, object: &ObjectRef<K>) -> Option<Duration> {
        let mut state = self.state();
        let failures = state.failures.get(object).copied().unwrap_or(0);
        if self.max_retries.is_some_and(|max| failures >= max) {
            state.failures.remove(object);
            return None;
        }
        state
            .failures
            .insert(object.clone(), failures.saturating_add(1));
        let backoff = self.backoff_after(failures);
        let delay = backoff.saturating_add(backoff.mul_f64(self.jitter * random()));
        Some(delay.max(state.bucket.take()))
    }

    /// Resets the failure count of `object`, after a success or its deletion.
    pub fn forget(&self, object: &ObjectRef<K>) {
        self.state().failures.remove(object);
    }

    /// Like [`forget`](Self::forget), but cheap while nothing has failed.
    pub(super) fn forget_named(&self, name: &ObjectKey) {
        let mut state = self.state();
        if !state.failures.is_empty() {
            state.failures.remove(&name.reference());
        }
    }

    fn backoff_after(&self, failures: u32) -> Duration {
        let factor = 2_u32.saturating_pow(failures);
        self.initial.saturating_mul(factor).min(self.max)
    }

    // Nothing panics while the lock is held.
    fn state(&self) -> MutexGuard<'_, State<K>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Returns a number from 0 to 1. The random keys of std's hash maps are good enough for a jitter.
#[expect(clippy::cast_precision_loss, reason = "a jitter needs no 64 bits")]
fn random() -> f64 {
    RandomState::new().build_hasher().finish() as f64 / u64::MAX as f64
}

#[cfg(test)]
mod tests {
    use k8s_openapi::api::core::v1::ConfigMap;

    use super::*;

    fn object(name: &str) -> ObjectRef<ConfigMap> {
        ObjectRef::new(name).within("shop")
    }

    fn without_jitter() -> RetryPolicy<ConfigMap> {
        RetryPolicy::default().jitter(0.0)
    }

    fn delays(retry: &RetryPolicy<ConfigMap>, count: usize) -> Vec<u128> {
        let delay = |_| retry.record_failure(&object("a")).unwrap().as_millis();
        (0..count).map(delay).collect()
    }

    #[tokio::test(start_paused = true)]
    async fn delays_double_from_5_ms_to_1000_s_as_in_client_go() {
        let delays = delays(&without_jitter(), 40);
        let expected = [
            5, 10, 20, 40, 80, 160, 320, 640, 1280, 2560, 5120, 10_240, 20_480, 40_960, 81_920,
            163_840, 327_680, 655_360, 1_000_000,
        ];
        assert_eq!(delays[..19], expected);
        assert!(delays[19..].iter().all(|delay| *delay == 1_000_000));
    }

    #[tokio::test(start_paused = true)]
    async fn backoff_sets_initial_and_maximum_delay() {
        let retry = without_jitter().backoff(Duration::from_secs(1), Duration::from_secs(3));
        assert_eq!(delays(&retry, 4), [1000, 2000, 3000, 3000]);
    }

    #[tokio::test(start_paused = true)]
    async fn counts_failures_per_object_and_success_resets_them() {
        let retry = without_jitter();
        assert_eq!(delays(&retry, 3), [5, 10, 20]);
        assert_eq!(
            retry.record_failure(&object("b")),
            Some(Duration::from_millis(5))
        );
        retry.forget(&object("a"));
        assert_eq!(delays(&retry, 1), [5]);
    }

    #[tokio::test(start_paused = true)]
    async fn jitter_varies_within_its_factor() {
        let second = Duration::from_secs(1);
        let retry = RetryPolicy::default().backoff(second, second).jitter(0.5);
        let delays = delays(&retry, 50);
        assert!(
            delays.iter().all(|delay| (1000..=1500).contains(delay)),
            "{delays:?}"
        );
        assert!(delays.iter().any(|delay| *delay < 1250), "{delays:?}");
        assert!(delays.iter().any(|delay| *delay > 1250), "{delays:?}");
    }

    #[tokio::test(start_paused = true)]
    async fn max_retries_exhausts_and_then_resets_the_count() {
        let retry = without_jitter().max_retries(2);
        assert_eq!(delays(&retry, 2), [5, 10]);
        assert_eq!(retry.record_failure(&object("a")), None);
        assert_eq!(delays(&retry, 2), [5, 10]);
    }

    #[tokio::test(start_paused = true)]
    async fn rate_limits_all_objects_together() {
        let retry = without_jitter().rate(Duration::from_secs(1), 2);
        let delay = |name: &str| retry.record_failure(&object(name)).unwrap().as_millis();
        assert_eq!(["a", "b", "c", "d"].map(delay), [5, 5, 1000, 2000]);
    }

    #[tokio::test(start_paused = true)]
    async fn exhausted_objects_are_removed_from_memory() {
        let retry = without_jitter().max_retries(1);
        delays(&retry, 1);
        retry.record_failure(&object("a"));
        assert!(retry.state().failures.is_empty());
    }
}
