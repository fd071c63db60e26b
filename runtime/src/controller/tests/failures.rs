//! What happens to an object whose reconcile fails.

use std::{sync::Arc, time::Duration};

use k8s_openapi::api::core::v1::{ConfigMap, Secret};
use kube::{ResourceExt, core::Status, runtime::reflector::ObjectRef};

use super::running::{Calls, note, pass, start};
use crate::{
    controller::{Action, Around, Controller, Error, Retry},
    metrics::Metrics,
    retry_after::{deferred, with_retry_after},
    store::{
        Store,
        samples::{Log, apply, delete, object, synced},
    },
};

/// Fails for all objects whose name begins with `bad`.
async fn fail_bad(object: Arc<ConfigMap>, calls: Arc<Calls>) -> Result<Action, Error> {
    calls.note(&*object);
    outcome(&object)
}

fn outcome(object: &ConfigMap) -> Result<Action, Error> {
    if object.name_any().starts_with("bad") {
        return Err(Error::new("bad"));
    }
    Ok(Action::await_change())
}

fn exact(store: &Store<ConfigMap>) -> Controller<ConfigMap> {
    Controller::new("test", store).retry(Retry::default().jitter(0.0))
}

/// The times between attempts. The timer counts whole milliseconds, and may be one late.
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
async fn a_failing_object_is_tried_again_after_growing_delays() {
    let (store, _feed) = synced([object("bad", 1)]);
    let running = start(exact(&store), fail_bad);
    pass(700).await;
    let delays = delays(&running.calls, "bad");
    assert!(
        close_to(&delays, &[5, 10, 20, 40, 80, 160, 320]),
        "{delays:?}"
    );
}

#[tokio::test(start_paused = true)]
async fn success_begins_the_delays_anew() {
    let (store, mut feed) = synced([object("a", 1)]);
    let running = start(
        exact(&store),
        async |object: Arc<ConfigMap>, calls: Arc<Calls>| {
            calls.note(&*object);
            match calls.times("a").len() {
                3 => Ok(Action::await_change()),
                _ => Err(Error::new("not yet")),
            }
        },
    );
    pass(1000).await;
    assert!(close_to(&delays(&running.calls, "a"), &[5, 10]));
    running.calls.clear();
    apply(&mut feed, &object("a", 2));
    pass(12).await;
    assert!(close_to(&delays(&running.calls, "a"), &[5]));
}

#[tokio::test(start_paused = true)]
async fn a_change_runs_a_failing_object_at_once_and_keeps_its_delay() {
    let (store, mut feed) = synced([object("bad", 1)]);
    let running = start(exact(&store), fail_bad);
    pass(650).await;
    running.calls.clear();
    apply(&mut feed, &object("bad", 2));
    pass(1).await;
    assert_eq!(running.calls.names(), ["bad"]);
    pass(1400).await;
    let delays = delays(&running.calls, "bad");
    assert!(close_to(&delays, &[1280]), "{delays:?}");
}

#[tokio::test(start_paused = true)]
async fn a_change_that_failed_is_tried_again_before_all_objects_of_the_start() {
    let objects = (0..100).map(|number| object(&number.to_string(), 1));
    let (store, mut feed) = synced::<ConfigMap>(objects);
    let running = start(
        exact(&store).workers(1),
        async |object: Arc<ConfigMap>, calls: Arc<Calls>| {
            calls.work(&*object, Duration::from_secs(1)).await;
            outcome(&object)
        },
    );
    pass(10_100).await;
    apply(&mut feed, &object("bad", 1));
    pass(10_000).await;
    // In turn with the others.
    let times = running.calls.times("bad");
    assert!(times.len() >= 4, "{times:?}");
    pass(200_000).await;
    assert_eq!(running.calls.times("99").len(), 1);
}

#[tokio::test(start_paused = true)]
async fn after_the_last_retry_an_object_is_left_alone_until_it_changes() {
    let (store, mut feed) = synced([object("bad", 1)]);
    let retry = Retry::default().max_retries(2);
    let running = start(Controller::new("test", &store).retry(retry), fail_bad);
    pass(3_600_000).await;
    assert_eq!(running.calls.times("bad").len(), 3);
    apply(&mut feed, &object("bad", 2));
    pass(3_600_000).await;
    assert_eq!(running.calls.times("bad").len(), 6);
}

#[tokio::test(start_paused = true)]
async fn a_terminal_error_is_not_retried_until_the_object_changes() {
    let (store, mut feed) = synced([object("a", 1)]);
    let running = start(
        exact(&store),
        async |object: Arc<ConfigMap>, calls: Arc<Calls>| {
            calls.note(&*object);
            Err::<Action, _>(Error::terminal("the spec makes no sense"))
        },
    );
    pass(3_600_000).await;
    assert_eq!(running.calls.names(), ["a"]);
    apply(&mut feed, &object("a", 2));
    pass(3_600_000).await;
    assert_eq!(running.calls.names(), ["a", "a"]);
}

#[tokio::test(start_paused = true)]
async fn a_panic_is_retried_and_others_go_on() {
    let (store, mut feed) = synced([
        object("panics", 1),
        object("panics-early", 1),
        object("fine", 1),
    ]);
    let reconcile = |object: Arc<ConfigMap>, calls: Arc<Calls>| {
        calls.note(&*object);
        assert!(
            object.name_any() != "panics-early",
            "before the first await"
        );
        async move {
            tokio::task::yield_now().await;
            assert!(object.name_any() != "panics", "in the middle of it");
            Ok::<_, Error>(Action::await_change())
        }
    };
    let running = start(exact(&store), reconcile);
    pass(80).await;
    apply(&mut feed, &object("fine", 2));
    pass(1).await;
    assert_eq!(running.calls.times("fine").len(), 2);
    for name in ["panics", "panics-early"] {
        let delays = delays(&running.calls, name);
        assert!(close_to(&delays, &[5, 10, 20, 40]), "{name}: {delays:?}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_retry_is_not_earlier_than_the_api_server_asks_for() {
    let (store, _feed) = synced([object("a", 1)]);
    let running = start(
        exact(&store),
        async |object: Arc<ConfigMap>, calls: Arc<Calls>| {
            calls.note(&*object);
            let status = Status::failure("disruption budget", "TooManyRequests").with_code(429);
            let refused = kube::Error::Api(with_retry_after(status, 7).boxed());
            Err::<Action, Error>(refused.into())
        },
    );
    pass(30_000).await;
    let delays = delays(&running.calls, "a");
    assert!(close_to(&delays, &[7000; 4]), "{delays:?}");
}

#[tokio::test(start_paused = true)]
async fn a_reconcile_that_hangs_times_out_frees_its_worker_and_is_retried() {
    let log = Log::begin();
    let metrics = Metrics::new();
    let (store, _feed) = synced([object("bad", 1), object("good", 1)]);
    let around = Around {
        metrics: metrics.controller("test"),
        ..Around::default()
    };
    let calls = Calls::new();
    let reconcile = async |object: Arc<ConfigMap>, calls: Arc<Calls>| {
        calls.note(&*object);
        if outcome(&object).is_err() {
            std::future::pending::<()>().await;
        }
        Ok::<_, Error>(Action::await_change())
    };
    let controller = exact(&store).workers(1);
    tokio::spawn(controller.run(reconcile, Arc::clone(&calls), around));
    pass(310_000).await;
    assert_eq!(calls.times("good").len(), 1);
    assert_eq!(calls.times("bad").len(), 2, "5 minutes are the default");
    assert_eq!(log.lines("reconcile timed out after 300s").len(), 1);
    let text = metrics.render().unwrap();
    let counted = "controller_runtime_reconcile_timeouts_total{controller=\"test\"} 1\n";
    assert!(text.contains(counted), "{text}");
    assert!(
        text.contains("active_workers{controller=\"test\"} 1\n"),
        "{text}"
    );
}

#[tokio::test(start_paused = true)]
async fn an_object_that_always_fails_does_not_hold_up_others() {
    let (store, mut feed) = synced([object("bad", 1)]);
    let running = start(exact(&store).workers(1), fail_bad);
    for number in 0..50 {
        pass(20).await;
        apply(&mut feed, &object(&format!("good-{number}"), 1));
        pass(1).await;
        assert_eq!(running.calls.times(&format!("good-{number}")).len(), 1);
    }
}

#[tokio::test(start_paused = true)]
async fn a_failing_object_that_is_deleted_is_not_tried_again() {
    let (store, mut feed) = synced([object("bad", 1)]);
    let running = start(exact(&store), fail_bad);
    pass(650).await;
    running.calls.clear();
    delete(&mut feed, &object("bad", 2));
    pass(3_600_000).await;
    assert!(running.calls.names().is_empty());
}

#[tokio::test(start_paused = true)]
async fn the_successor_of_a_failing_object_begins_anew() {
    let (store, mut feed) = synced([object("bad", 1)]);
    let running = start(exact(&store), fail_bad);
    pass(650).await;
    running.calls.clear();
    delete(&mut feed, &object("bad", 2));
    pass(1).await;
    apply(&mut feed, &object("bad", 3));
    pass(12).await;
    assert!(close_to(&delays(&running.calls, "bad"), &[5]));
}

#[tokio::test(start_paused = true)]
async fn an_object_that_was_deleted_while_it_failed_is_forgotten() {
    let (store, mut feed) = synced([object("a", 1)]);
    let running = start(
        exact(&store),
        async |object: Arc<ConfigMap>, calls: Arc<Calls>| {
            calls.work(&*object, Duration::from_millis(100)).await;
            Err::<Action, _>(Error::new("bad"))
        },
    );
    pass(50).await;
    delete(&mut feed, &object("a", 2));
    pass(1000).await;
    running.calls.clear();
    apply(&mut feed, &object("a", 3));
    pass(108).await;
    assert!(close_to(&delays(&running.calls, "a"), &[105]));
}

#[tokio::test(start_paused = true)]
async fn many_failing_objects_share_the_rate_of_retries() {
    let (store, _feed) = synced((0..20).map(|number| object(&format!("bad-{number}"), 1)));
    let once = Duration::from_millis(1);
    let retry = Retry::default()
        .backoff(once, once)
        .rate(Duration::from_secs(1), 10);
    let running = start(Controller::new("test", &store).retry(retry), fail_bad);
    pass(60_500).await;
    // One attempt of each, a burst of 10, and one for each second.
    let attempts = running.calls.names().len();
    assert!((88..=90).contains(&attempts), "{attempts}");
}

#[tokio::test(start_paused = true)]
async fn a_mapper_that_panics_affects_only_that_change() {
    let log = Log::begin();
    let metrics = Metrics::new();
    let (store, _feed) = synced([object("owner", 1)]);
    let (secrets, mut feed) = synced::<Secret>([]);
    let mapper = |secret: &Secret| {
        assert!(secret.name_any() != "bad", "a bad secret");
        [ObjectRef::new("owner").within("shop")]
    };
    let around = Around {
        metrics: metrics.controller("test"),
        ..Around::default()
    };
    let calls = Calls::new();
    let controller = exact(&store).watches(&secrets, mapper);
    tokio::spawn(controller.run(note, Arc::clone(&calls), around));
    pass(1).await;
    calls.clear();
    apply(&mut feed, &object("bad", 1));
    apply(&mut feed, &object("good", 1));
    pass(1).await;
    assert_eq!(calls.names(), ["owner"]);
    let lines = log.lines("mapper panicked");
    assert_eq!(lines.len(), 1, "{lines:?}");
    for named in [
        "controller=test",
        "kind=Secret",
        "object=shop/bad",
        "a bad secret",
    ] {
        assert!(lines[0].contains(named), "{lines:?}");
    }
    let counted = "kb_mapper_panics_total{controller=\"test\"} 1\n";
    let text = metrics.render().unwrap();
    assert!(text.contains(counted), "{text}");
}

#[tokio::test(start_paused = true)]
async fn a_write_that_is_put_off_is_no_failure_and_is_tried_when_the_cache_changes() {
    let log = Log::begin();
    let metrics = Metrics::new();
    let (store, mut feed) = synced([object("a", 1)]);
    let around = Around {
        metrics: metrics.controller("test"),
        ..Around::default()
    };
    let calls = Calls::new();
    let reconcile = async |object: Arc<ConfigMap>, calls: Arc<Calls>| {
        calls.note(&*object);
        let conflict = Status::failure("the cache is behind", "Conflict").with_code(409);
        Err::<Action, Error>(deferred(conflict, 30).into())
    };
    tokio::spawn(exact(&store).run(reconcile, Arc::clone(&calls), around));
    pass(1000).await;
    assert_eq!(calls.times("a").len(), 1, "it waits for the cache");
    apply(&mut feed, &object("a", 2));
    pass(1).await;
    assert_eq!(calls.times("a").len(), 2);
    pass(30_000).await;
    assert_eq!(calls.times("a").len(), 3, "but not for ever");

    assert!(log.lines("the cache is behind").is_empty());
    let text = metrics.render().unwrap();
    for counted in [
        "controller_runtime_reconcile_errors_total{controller=\"test\"} 0\n",
        "workqueue_retries_total{name=\"test\",controller=\"test\"} 0\n",
        "controller_runtime_reconcile_total{controller=\"test\",result=\"requeue_after\"} 3\n",
    ] {
        assert!(text.contains(counted), "{text}");
    }
}
