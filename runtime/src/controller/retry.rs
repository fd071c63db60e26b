//! When an object that failed is tried again.

use std::{
    hash::{BuildHasher, Hasher, RandomState},
    sync::{Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use foldhash::{HashMap, HashMapExt};
use kube::runtime::reflector::ObjectRef;

use super::pace::Pace;
use crate::store::{CachedResource, ObjectKey};

/// Counts the failures of each object, and says how long to wait before it is tried again.
///
/// The defaults are client-go's: 5 ms after the first failure, twice as long after each further one, up to 1000 s; and over all objects
/// ten retries a second, after a hundred at once. The longer of the two delays counts. A jitter keeps objects apart that fail together.
///
/// [`Controller`](super::Controller) does all of this. It serves kube's own controller as well, which tells its `error_policy` of failures but
/// nobody of successes:
///
/// ```no_run
/// use std::sync::Arc;
///
/// use futures::StreamExt;
/// use kb::controller::Retry;
/// use kb::k8s_openapi::api::core::v1::ConfigMap;
/// use kube::runtime::{Controller, controller::Action, reflector::ObjectRef, watcher};
/// use kube::{Api, Client};
///
/// async fn reconcile(object: Arc<ConfigMap>, retry: Arc<Retry<ConfigMap>>) -> kube::Result<Action> {
///     // Make what the object asks for.
///     retry.forget(&ObjectRef::from_obj(&*object));
///     Ok(Action::await_change())
/// }
///
/// fn error_policy(object: Arc<ConfigMap>, _: &kube::Error, retry: Arc<Retry<ConfigMap>>) -> Action {
///     let delay = retry.failed(&ObjectRef::from_obj(&*object));
///     delay.map_or_else(Action::await_change, Action::requeue)
/// }
///
/// # async fn wrapper(client: Client) {
/// let retry = Arc::new(Retry::default().max_retries(20));
/// Controller::new(Api::<ConfigMap>::all(client), watcher::Config::default())
///     .run(reconcile, error_policy, retry)
///     .for_each(|_| async {})
///     .await;
/// # }
/// ```
#[derive(Debug)]
pub struct Retry<K: CachedResource> {
    first: Duration,
    most: Duration,
    jitter: f64,
    max_retries: Option<u32>,
    state: Mutex<State<K>>,
}

#[derive(Debug)]
struct State<K: CachedResource> {
    failures: HashMap<ObjectRef<K>, u32>,
    pace: Pace,
}

impl<K: CachedResource> Default for Retry<K> {
    fn default() -> Self {
        Self {
            first: Duration::from_millis(5),
            most: Duration::from_secs(1000),
            jitter: 0.2,
            max_retries: None,
            state: Mutex::new(State {
                failures: HashMap::new(),
                pace: Pace::new(Duration::from_millis(100), 100),
            }),
        }
    }
}

impl<K: CachedResource> Retry<K> {
    /// The delay after the first failure of an object, and the longest delay.
    #[must_use]
    pub fn backoff(self, first: Duration, most: Duration) -> Self {
        Self {
            first,
            most,
            ..self
        }
    }

    /// The part of a delay that may be added to it by chance: 0.2 makes up to 1.2 s of one second. 0 turns it off.
    #[must_use]
    pub fn jitter(self, part: f64) -> Self {
        let jitter = part.clamp(0.0, 1.0);
        Self { jitter, ..self }
    }

    /// How often an object is tried again before it is left alone until it changes. Without this there is no limit.
    #[must_use]
    pub fn max_retries(self, most: u32) -> Self {
        Self {
            max_retries: Some(most),
            ..self
        }
    }

    /// How many retries there are of all objects together: so many at once, and then one for each interval.
    #[must_use]
    pub fn rate(self, interval: Duration, burst: u32) -> Self {
        self.state().pace = Pace::new(interval, burst);
        self
    }

    /// An object failed: it is to be tried again after this time. None says that it failed too often, and is to be left alone until it
    /// changes; its failures are forgotten then.
    pub fn failed(&self, object: &ObjectRef<K>) -> Option<Duration> {
        let mut state = self.state();
        let before = state.failures.get(object).copied().unwrap_or(0);
        if self.max_retries.is_some_and(|most| before >= most) {
            state.failures.remove(object);
            return None;
        }
        state
            .failures
            .insert(object.clone(), before.saturating_add(1));
        let backoff = self.backoff_after(before);
        let own = backoff.saturating_add(backoff.mul_f64(self.jitter * chance()));
        Some(own.max(state.pace.take()))
    }

    /// An object succeeded, or is gone: its failures are forgotten.
    pub fn forget(&self, object: &ObjectRef<K>) {
        self.state().failures.remove(object);
    }

    /// The same by name, which costs nothing while there are no failures.
    pub(super) fn forget_named(&self, name: &ObjectKey) {
        let mut state = self.state();
        if !state.failures.is_empty() {
            state.failures.remove(&name.reference());
        }
    }

    fn backoff_after(&self, failures: u32) -> Duration {
        let factor = 2_u32.saturating_pow(failures);
        self.first.saturating_mul(factor).min(self.most)
    }

    // Nothing here panics while the lock is held, and half a change of counters would harm nobody.
    fn state(&self) -> MutexGuard<'_, State<K>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A number from 0 to 1. std's hash maps have seeds by chance, which is enough to spread retries.
#[expect(clippy::cast_precision_loss, reason = "a jitter needs no 64 bits")]
fn chance() -> f64 {
    RandomState::new().build_hasher().finish() as f64 / u64::MAX as f64
}

#[cfg(test)]
mod tests {
    use k8s_openapi::api::core::v1::ConfigMap;

    use super::*;

    fn object(name: &str) -> ObjectRef<ConfigMap> {
        ObjectRef::new(name).within("shop")
    }

    fn exact() -> Retry<ConfigMap> {
        Retry::default().jitter(0.0)
    }

    fn delays(retry: &Retry<ConfigMap>, count: usize) -> Vec<u128> {
        let delay = |_| retry.failed(&object("a")).unwrap().as_millis();
        (0..count).map(delay).collect()
    }

    #[tokio::test(start_paused = true)]
    async fn delays_double_from_5_ms_to_1000_s_as_in_client_go() {
        let delays = delays(&exact(), 40);
        let expected = [
            5, 10, 20, 40, 80, 160, 320, 640, 1280, 2560, 5120, 10_240, 20_480, 40_960, 81_920,
            163_840, 327_680, 655_360, 1_000_000,
        ];
        assert_eq!(delays[..19], expected);
        assert!(delays[19..].iter().all(|delay| *delay == 1_000_000));
    }

    #[tokio::test(start_paused = true)]
    async fn first_and_longest_delay_are_settable() {
        let retry = exact().backoff(Duration::from_secs(1), Duration::from_secs(3));
        assert_eq!(delays(&retry, 4), [1000, 2000, 3000, 3000]);
    }

    #[tokio::test(start_paused = true)]
    async fn objects_are_counted_apart_and_success_begins_anew() {
        let retry = exact();
        assert_eq!(delays(&retry, 3), [5, 10, 20]);
        assert_eq!(retry.failed(&object("b")), Some(Duration::from_millis(5)));
        retry.forget(&object("a"));
        assert_eq!(delays(&retry, 1), [5]);
    }

    #[tokio::test(start_paused = true)]
    async fn jitter_adds_no_more_than_its_part_and_differs() {
        let second = Duration::from_secs(1);
        let retry = Retry::default().backoff(second, second).jitter(0.5);
        let delays = delays(&retry, 50);
        assert!(
            delays.iter().all(|delay| (1000..=1500).contains(delay)),
            "{delays:?}"
        );
        assert!(delays.iter().any(|delay| *delay < 1250), "{delays:?}");
        assert!(delays.iter().any(|delay| *delay > 1250), "{delays:?}");
    }

    #[tokio::test(start_paused = true)]
    async fn after_the_limit_an_object_is_left_alone_and_a_change_gives_it_all_retries_again() {
        let retry = exact().max_retries(2);
        assert_eq!(delays(&retry, 2), [5, 10]);
        assert_eq!(retry.failed(&object("a")), None);
        assert_eq!(delays(&retry, 2), [5, 10]);
    }

    #[tokio::test(start_paused = true)]
    async fn all_objects_together_do_not_exceed_the_rate() {
        let retry = exact().rate(Duration::from_secs(1), 2);
        let failed = |name: &str| retry.failed(&object(name)).unwrap().as_millis();
        assert_eq!(["a", "b", "c", "d"].map(failed), [5, 5, 1000, 2000]);
    }

    #[tokio::test(start_paused = true)]
    async fn what_is_forgotten_takes_no_memory() {
        let retry = exact().max_retries(1);
        delays(&retry, 1);
        retry.failed(&object("a"));
        assert!(retry.state().failures.is_empty());
    }
}
