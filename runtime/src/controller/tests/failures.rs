//! Retries of failed reconciles.

use std::{sync::Arc, time::Duration};

use k8s_openapi::api::core::v1::{ConfigMap, Secret};
use kube::{ResourceExt, core::Status, runtime::reflector::ObjectRef};

use super::harness::{Calls, record, sleep_ms, start};
use crate::{
    controller::{Action, Controller, Error, RetryPolicy},
    retry_after::{deferred, with_retry_after},
    store::{
        Store,
        samples::{Log, apply, delete, object, synced},
    },
};

/// Fails for objects whose name starts with `bad`.
async fn fail_bad(object: Arc<ConfigMap>, calls: Arc<Calls>) -> Result<Action, Error> {
    calls.record(&*object);
    result_of(&object)
}

fn result_of(object: &ConfigMap) -> Result<Action, Error> {
    if object.name_any().starts_with("bad") {
        return Err(Error::new("bad"));
    }
    Ok(Action::await_change())
}

fn without_jitter(store: &Store<ConfigMap>) -> Controller<ConfigMap, Calls> {
    Controller::new("test", store).retry(RetryPolicy::default().jitter(0.0))
}

/// Returns the times between reconciles. The timer has a resolution of 1 ms and may be late by one.
fn delays(calls: &Calls, name: &str) -> Vec<u128> {
    let times = calls.times(name);
    times.windows(2).map(|pair| pair[1] - pair[0]).collect()
}

fn close_to(delays: &[u128], expected: &[u128]) -> bool {
    let mut pairs = delays.iter().zip(expected);
    delays.len() == expected.len()
        && pairs.all(|(delay, expected)| (*expected..=expected + 1).contains(delay))
}

#[tokio::test(start_paused = true)]
async fn retries_with_exponential_backoff() {
    let (store, _feed) = synced([object("bad", 1)]);
    let running = start(without_jitter(&store), fail_bad);
    sleep_ms(700).await;
    let delays = delays(&running.calls, "bad");
    assert!(
        close_to(&delays, &[5, 10, 20, 40, 80, 160, 320]),
        "{delays:?}"
    );
}

#[tokio::test(start_paused = true)]
async fn success_resets_the_backoff() {
    let (store, mut feed) = synced([object("a", 1)]);
    let running = start(
        without_jitter(&store),
        async |object: Arc<ConfigMap>, calls: Arc<Calls>| {
            calls.record(&*object);
            match calls.times("a").len() {
                3 => Ok(Action::await_change()),
                _ => Err(Error::new("not yet")),
            }
        },
    );
    sleep_ms(1000).await;
    assert!(close_to(&delays(&running.calls, "a"), &[5, 10]));
    running.calls.clear();
    apply(&mut feed, &object("a", 2));
    sleep_ms(12).await;
    assert!(close_to(&delays(&running.calls, "a"), &[5]));
}

#[tokio::test(start_paused = true)]
async fn a_change_reconciles_a_failing_object_immediately_and_keeps_its_backoff() {
    let (store, mut feed) = synced([object("bad", 1)]);
    let running = start(without_jitter(&store), fail_bad);
    sleep_ms(650).await;
    running.calls.clear();
    apply(&mut feed, &object("bad", 2));
    sleep_ms(1).await;
    assert_eq!(running.calls.names(), ["bad"]);
    sleep_ms(1400).await;
    let delays = delays(&running.calls, "bad");
    assert!(close_to(&delays, &[1280]), "{delays:?}");
}

#[tokio::test(start_paused = true)]
async fn retries_of_a_changed_object_do_not_wait_for_the_initial_list() {
    let objects = (0..100).map(|number| object(&number.to_string(), 1));
    let (store, mut feed) = synced::<ConfigMap>(objects);
    let running = start(
        without_jitter(&store).concurrency(1),
        async |object: Arc<ConfigMap>, calls: Arc<Calls>| {
            calls.work(&*object, Duration::from_secs(1)).await;
            result_of(&object)
        },
    );
    sleep_ms(10_100).await;
    apply(&mut feed, &object("bad", 1));
    sleep_ms(10_000).await;
    // Alternating with the others.
    let times = running.calls.times("bad");
    assert!(times.len() >= 4, "{times:?}");
    sleep_ms(200_000).await;
    assert_eq!(running.calls.times("99").len(), 1);
}

#[tokio::test(start_paused = true)]
async fn after_max_retries_an_object_is_reconciled_when_it_changes() {
    let (store, mut feed) = synced([object("bad", 1)]);
    let retry = RetryPolicy::default().max_retries(2);
    let running = start(Controller::new("test", &store).retry(retry), fail_bad);
    sleep_ms(3_600_000).await;
    assert_eq!(running.calls.times("bad").len(), 3);
    apply(&mut feed, &object("bad", 2));
    sleep_ms(3_600_000).await;
    assert_eq!(running.calls.times("bad").len(), 6);
}

#[tokio::test(start_paused = true)]
async fn a_terminal_error_is_not_retried_until_the_object_changes() {
    let (store, mut feed) = synced([object("a", 1)]);
    let running = start(
        without_jitter(&store),
        async |object: Arc<ConfigMap>, calls: Arc<Calls>| {
            calls.record(&*object);
            Err::<Action, _>(Error::terminal("invalid spec"))
        },
    );
    sleep_ms(3_600_000).await;
    assert_eq!(running.calls.names(), ["a"]);
    apply(&mut feed, &object("a", 2));
    sleep_ms(3_600_000).await;
    assert_eq!(running.calls.names(), ["a", "a"]);
}

#[tokio::test(start_paused = true)]
async fn a_panic_is_retried_and_does_not_affect_other_objects() {
    let (store, mut feed) = synced([
        object("panics", 1),
        object("panics-early", 1),
        object("fine", 1),
    ]);
    let reconcile = |object: Arc<ConfigMap>, calls: Arc<Calls>| {
        calls.record(&*object);
        assert!(
            object.name_any() != "panics-early",
            "before the first await"
        );
        async move {
            tokio::task::yield_now().await;
            assert!(object.name_any() != "panics", "after an await");
            Ok::<_, Error>(Action::await_change())
        }
    };
    let running = start(without_jitter(&store), reconcile);
    sleep_ms(80).await;
    apply(&mut feed, &object("fine", 2));
    sleep_ms(1).await;
    assert_eq!(running.calls.times("fine").len(), 2);
    for name in ["panics", "panics-early"] {
        let delays = delays(&running.calls, name);
        assert!(close_to(&delays, &[5, 10, 20, 40]), "{name}: {delays:?}");
    }
}

#[tokio::test(start_paused = true)]
async fn honors_retry_after_of_the_api_server() {
    let (store, _feed) = synced([object("a", 1)]);
    let running = start(
        without_jitter(&store),
        async |object: Arc<ConfigMap>, calls: Arc<Calls>| {
            calls.record(&*object);
            let status = Status::failure("disruption budget", "TooManyRequests").with_code(429);
            let rejected = kube::Error::Api(with_retry_after(status, 7).boxed());
            Err::<Action, Error>(rejected.into())
        },
    );
    sleep_ms(30_000).await;
    let delays = delays(&running.calls, "a");
    assert!(close_to(&delays, &[7000; 4]), "{delays:?}");
}

#[tokio::test(start_paused = true)]
async fn a_hanging_reconcile_times_out_and_is_retried() {
    let log = Log::begin();
    let (store, _feed) = synced([object("bad", 1), object("good", 1)]);
    let reconcile = async |object: Arc<ConfigMap>, calls: Arc<Calls>| {
        calls.record(&*object);
        if result_of(&object).is_err() {
            std::future::pending::<()>().await;
        }
        Ok::<_, Error>(Action::await_change())
    };
    let running = start(without_jitter(&store).concurrency(1), reconcile);
    sleep_ms(310_000).await;
    assert_eq!(running.calls.times("good").len(), 1);
    assert_eq!(running.calls.times("bad").len(), 2, "5 minutes by default");
    assert_eq!(log.lines("reconcile timed out after 300s").len(), 1);
    let text = running.metrics.render().unwrap();
    let counted = "controller_runtime_reconcile_timeouts_total{controller=\"test\"} 1\n";
    assert!(text.contains(counted), "{text}");
    assert!(
        text.contains("active_workers{controller=\"test\"} 1\n"),
        "{text}"
    );
}

#[tokio::test(start_paused = true)]
async fn a_failing_object_does_not_delay_others() {
    let (store, mut feed) = synced([object("bad", 1)]);
    let running = start(without_jitter(&store).concurrency(1), fail_bad);
    for number in 0..50 {
        sleep_ms(20).await;
        apply(&mut feed, &object(&format!("good-{number}"), 1));
        sleep_ms(1).await;
        assert_eq!(running.calls.times(&format!("good-{number}")).len(), 1);
    }
}

#[tokio::test(start_paused = true)]
async fn a_deleted_object_is_not_retried() {
    let (store, mut feed) = synced([object("bad", 1)]);
    let running = start(without_jitter(&store), fail_bad);
    sleep_ms(650).await;
    running.calls.clear();
    delete(&mut feed, &object("bad", 2));
    sleep_ms(3_600_000).await;
    assert!(running.calls.names().is_empty());
}

#[tokio::test(start_paused = true)]
async fn a_recreated_object_starts_without_backoff() {
    let (store, mut feed) = synced([object("bad", 1)]);
    let running = start(without_jitter(&store), fail_bad);
    sleep_ms(650).await;
    running.calls.clear();
    delete(&mut feed, &object("bad", 2));
    sleep_ms(1).await;
    apply(&mut feed, &object("bad", 3));
    sleep_ms(12).await;
    assert!(close_to(&delays(&running.calls, "bad"), &[5]));
}

#[tokio::test(start_paused = true)]
async fn deletion_during_a_failing_reconcile_resets_the_backoff() {
    let (store, mut feed) = synced([object("a", 1)]);
    let running = start(
        without_jitter(&store),
        async |object: Arc<ConfigMap>, calls: Arc<Calls>| {
            calls.work(&*object, Duration::from_millis(100)).await;
            Err::<Action, _>(Error::new("bad"))
        },
    );
    sleep_ms(50).await;
    delete(&mut feed, &object("a", 2));
    sleep_ms(1000).await;
    running.calls.clear();
    apply(&mut feed, &object("a", 3));
    sleep_ms(108).await;
    assert!(close_to(&delays(&running.calls, "a"), &[105]));
}

#[tokio::test(start_paused = true)]
async fn failing_objects_share_the_retry_rate() {
    let (store, _feed) = synced((0..20).map(|number| object(&format!("bad-{number}"), 1)));
    let once = Duration::from_millis(1);
    let retry = RetryPolicy::default()
        .backoff(once, once)
        .rate(Duration::from_secs(1), 10);
    let running = start(Controller::new("test", &store).retry(retry), fail_bad);
    sleep_ms(60_500).await;
    // One reconcile per object, a burst of 10, then one per second.
    let reconciles = running.calls.names().len();
    assert!((88..=90).contains(&reconciles), "{reconciles}");
}

#[tokio::test(start_paused = true)]
async fn a_panicking_mapper_affects_only_that_event() {
    let log = Log::begin();
    let (store, _feed) = synced([object("owner", 1)]);
    let (secrets, mut feed) = synced::<Secret>([]);
    let mapper = |secret: &Secret| {
        assert!(secret.name_any() != "bad", "a bad secret");
        [ObjectRef::new("owner").within("shop")]
    };
    let running = start(without_jitter(&store).watches(&secrets, mapper), record);
    sleep_ms(1).await;
    running.calls.clear();
    apply(&mut feed, &object("bad", 1));
    apply(&mut feed, &object("good", 1));
    sleep_ms(1).await;
    assert_eq!(running.calls.names(), ["owner"]);
    let lines = log.lines("mapper panicked");
    assert_eq!(lines.len(), 1, "{lines:?}");
    for field in [
        "controller=test",
        "kind=Secret",
        "object=shop/bad",
        "a bad secret",
    ] {
        assert!(lines[0].contains(field), "{lines:?}");
    }
    let counted = "kb_mapper_panics_total{controller=\"test\"} 1\n";
    let text = running.metrics.render().unwrap();
    assert!(text.contains(counted), "{text}");
}

#[tokio::test(start_paused = true)]
async fn a_deferred_write_is_no_failure_and_is_retried_when_the_cache_changes() {
    let log = Log::begin();
    let (store, mut feed) = synced([object("a", 1)]);
    let reconcile = async |object: Arc<ConfigMap>, calls: Arc<Calls>| {
        calls.record(&*object);
        let conflict = Status::failure("stale cache", "Conflict").with_code(409);
        Err::<Action, Error>(deferred(conflict, 30).into())
    };
    let running = start(without_jitter(&store), reconcile);
    sleep_ms(1000).await;
    assert_eq!(running.calls.times("a").len(), 1, "waits for the cache");
    apply(&mut feed, &object("a", 2));
    sleep_ms(1).await;
    assert_eq!(running.calls.times("a").len(), 2);
    sleep_ms(30_000).await;
    assert_eq!(running.calls.times("a").len(), 3, "up to 30 seconds");

    assert!(log.lines("stale cache").is_empty());
    let text = running.metrics.render().unwrap();
    for counted in [
        "controller_runtime_reconcile_errors_total{controller=\"test\"} 0\n",
        "workqueue_retries_total{name=\"test\",controller=\"test\"} 0\n",
        "controller_runtime_reconcile_total{controller=\"test\",result=\"requeue_after\"} 3\n",
    ] {
        assert!(text.contains(counted), "{text}");
    }
}
