//! Rate-limited work queue, concurrency and retry limit of a controller.

use std::time::Duration;

use kb::{
    controller::{Controller, RetryPolicy},
    k8s_openapi::api::core::v1::ConfigMap,
    store::Store,
};
use kube::runtime::reflector::ObjectRef;

/// Equivalent of client-go's `DefaultControllerRateLimiter`. It is the default, apart from the jitter.
fn rate_limits() -> RetryPolicy<ConfigMap> {
    RetryPolicy::default()
        // Per object: from 5 ms, doubled after each failure, to 1000 s.
        .backoff(Duration::from_millis(5), Duration::from_secs(1000))
        .jitter(0.0)
        // Overall: 10 per second with a burst of 100.
        .rate(Duration::from_millis(100), 100)
}

/// Replaces `queue.NumRequeues(key) < 10`, `queue.Forget(key)` and the number of workers.
fn controller(store: &Store<ConfigMap>) -> Controller<ConfigMap> {
    Controller::new("config-maps", store)
        .concurrency(2)
        .retry(rate_limits().max_retries(10))
}

#[tokio::test]
async fn backs_off_like_client_go() {
    let retry = rate_limits();
    let object = ObjectRef::<ConfigMap>::new("one");
    let delays: Vec<_> = (0..4).map(|_| retry.record_failure(&object)).collect();
    let expected = [5, 10, 20, 40].map(|delay| Some(Duration::from_millis(delay)));
    assert_eq!(delays, expected);
    retry.forget(&object);
    assert_eq!(retry.record_failure(&object), expected[0]);
}

#[tokio::test]
async fn stops_after_the_maximum_of_retries() {
    let retry = rate_limits().max_retries(10);
    let object = ObjectRef::<ConfigMap>::new("one");
    let retries = std::iter::from_fn(|| retry.record_failure(&object)).count();
    assert_eq!(retries, 10);
    assert_eq!(controller(&Store::default()).name(), "config-maps");
}
