//! What a failure says in the log.

use std::sync::Arc;

use k8s_openapi::api::core::v1::ConfigMap;

use super::running::{Calls, pass, start};
use crate::{
    controller::{Action, Controller, Error, Retry},
    store::{
        Store,
        samples::{Log, object, synced},
    },
};

const ATTEMPT: &str = "reconcile{controller=test kind=ConfigMap object=shop/a}";

fn controller(store: &Store<ConfigMap>, max_retries: u32) -> Controller<ConfigMap> {
    let retry = Retry::default().jitter(0.0).max_retries(max_retries);
    Controller::new("test", store).retry(retry)
}

#[tokio::test(start_paused = true)]
async fn each_failure_names_controller_object_cause_and_delay_and_the_last_is_an_error() {
    let log = Log::begin();
    let (store, _feed) = synced([object("a", 1)]);
    let _running = start(
        controller(&store, 2),
        async |_: Arc<ConfigMap>, _: Arc<Calls>| Err::<Action, _>(Error::new("no image")),
    );
    pass(1000).await;
    let lines = log.lines("no image");
    assert_eq!(lines.len(), 3, "{lines:?}");
    for line in &lines {
        assert!(line.contains(ATTEMPT), "{line}");
    }
    assert!(
        lines[0].contains("WARN") && lines[0].contains("retry_in=5ms"),
        "{lines:?}"
    );
    assert!(
        lines[1].contains("WARN") && lines[1].contains("retry_in=10ms"),
        "{lines:?}"
    );
    assert!(
        lines[2].contains("ERROR") && lines[2].contains("too often"),
        "{lines:?}"
    );
}

#[tokio::test(start_paused = true)]
async fn a_terminal_error_is_said_once() {
    let log = Log::begin();
    let (store, _feed) = synced([object("a", 1)]);
    let _running = start(
        controller(&store, 2),
        async |_: Arc<ConfigMap>, _: Arc<Calls>| Err::<Action, _>(Error::terminal("no such class")),
    );
    pass(1000).await;
    let lines = log.lines("no such class");
    assert_eq!(lines.len(), 1, "{lines:?}");
    assert!(
        lines[0].contains("ERROR") && lines[0].contains(ATTEMPT),
        "{lines:?}"
    );
}

#[tokio::test(start_paused = true)]
async fn a_panic_is_logged_with_its_message_and_its_object() {
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
    pass(1).await;
    let lines = log.lines("reconcile panicked: seven of 9");
    assert_eq!(lines.len(), 1, "{lines:?}");
    assert!(lines[0].contains(ATTEMPT), "{lines:?}");
}
