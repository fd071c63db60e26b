//! The rate-limited work queue, its workers and its limit of retries: all of it belongs to a controller.

use std::time::Duration;

use kb::{
    controller::{Controller, RetryPolicy},
    k8s_openapi::api::core::v1::ConfigMap,
    store::Store,
};
use kube::runtime::reflector::ObjectRef;

/// client-go's `DefaultControllerRateLimiter` is what you get without saying anything. Said in full, it is this, without the jitter.
fn rate_limits() -> RetryPolicy<ConfigMap> {
    RetryPolicy::default()
        // Per object: 5 ms, doubled after each failure, up to 1000 s.
        .backoff(Duration::from_millis(5), Duration::from_secs(1000))
        .jitter(0.0)
        // Over all objects: 10 a second, after 100 at once.
        .rate(Duration::from_millis(100), 100)
}

/// `queue.NumRequeues(key) < 10`, `queue.Forget(key)` and the number of workers.
fn controller(store: &Store<ConfigMap>) -> Controller<ConfigMap> {
    Controller::new("config-maps", store)
        .concurrency(2)
        .retry(rate_limits().max_retries(10))
}

#[tokio::test]
async fn the_delays_are_those_of_client_go() {
    let retry = rate_limits();
    let object = ObjectRef::<ConfigMap>::new("one");
    let delays: Vec<_> = (0..4).map(|_| retry.record_failure(&object)).collect();
    let expected = [5, 10, 20, 40].map(|delay| Some(Duration::from_millis(delay)));
    assert_eq!(delays, expected);
    retry.forget(&object);
    assert_eq!(retry.record_failure(&object), expected[0]);
}

#[tokio::test]
async fn after_ten_retries_an_object_rests() {
    let retry = rate_limits().max_retries(10);
    let object = ObjectRef::<ConfigMap>::new("one");
    let tried = std::iter::from_fn(|| retry.record_failure(&object)).count();
    assert_eq!(tried, 10);
    assert_eq!(controller(&Store::default()).name(), "config-maps");
}
