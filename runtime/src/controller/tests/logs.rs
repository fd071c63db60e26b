//! Log lines of failed reconciles.

use std::sync::Arc;

use k8s_openapi::api::core::v1::ConfigMap;

use super::harness::{Calls, sleep_ms, start};
use crate::{
    controller::{Action, Controller, Error, RetryPolicy},
    store::{
        Store,
        samples::{Log, object, synced},
    },
};

fn controller(store: &Store<ConfigMap>, max_retries: u32) -> Controller<ConfigMap, Calls> {
    let retry = RetryPolicy::default().jitter(0.0).max_retries(max_retries);
    Controller::new("test", store).retry(retry)
}

/// Returns the matching lines without their timestamps.
fn lines(log: &Log, containing: &str) -> Vec<String> {
    let lines = log.lines(containing);
    let without_time = lines.iter().filter_map(|line| line.split_once(' '));
    without_time
        .map(|(_, line)| line.trim().to_owned())
        .collect()
}

#[tokio::test(start_paused = true)]
async fn logs_retries_as_warnings_and_the_last_failure_as_error() {
    let log = Log::begin();
    let (store, _feed) = synced([object("a", 1)]);
    let _running = start(
        controller(&store, 2),
        async |_: Arc<ConfigMap>, _: Arc<Calls>| Err::<Action, _>(Error::new("no image")),
    );
    sleep_ms(1000).await;
    assert_eq!(
        lines(&log, "no image"),
        [
            "WARN reconcile{controller=test kind=ConfigMap object=shop/a}: kb::controller::reconciler: reconcile failed error=no image retry_in=5ms",
            "WARN reconcile{controller=test kind=ConfigMap object=shop/a}: kb::controller::reconciler: reconcile failed error=no image retry_in=10ms",
            "ERROR reconcile{controller=test kind=ConfigMap object=shop/a}: kb::controller::reconciler: reconcile failed, retry limit reached error=no image",
        ]
    );
}

#[tokio::test(start_paused = true)]
async fn logs_a_terminal_error_once() {
    let log = Log::begin();
    let (store, _feed) = synced([object("a", 1)]);
    let _running = start(
        controller(&store, 2),
        async |_: Arc<ConfigMap>, _: Arc<Calls>| Err::<Action, _>(Error::terminal("no such class")),
    );
    sleep_ms(1000).await;
    assert_eq!(
        lines(&log, "no such class"),
        [
            "ERROR reconcile{controller=test kind=ConfigMap object=shop/a}: kb::controller::reconciler: terminal error, not retrying error=no such class"
        ]
    );
}

#[tokio::test(start_paused = true)]
async fn logs_the_message_of_a_panic() {
    let log = Log::begin();
    let (store, _feed) = synced([object("a", 1)]);
    let _running = start(
        controller(&store, 1),
        async |_: Arc<ConfigMap>, _: Arc<Calls>| {
            let never = std::hint::black_box(false);
            assert!(never, "seven of {}", 9);
            Ok::<_, Error>(Action::await_change())
        },
    );
    sleep_ms(1).await;
    assert_eq!(
        lines(&log, "panicked"),
        [
            "WARN reconcile{controller=test kind=ConfigMap object=shop/a}: kb::controller::reconciler: reconcile failed error=reconcile panicked: seven of 9 retry_in=5ms"
        ]
    );
}
