//! Manager lifecycle with an in-memory API server and paused time.

mod dead_server;
mod standby;
mod unavailable_kinds;

use std::{
    collections::HashMap,
    convert::Infallible,
    sync::{Arc, Mutex},
    time::Duration,
};

use clap::{CommandFactory, FromArgMatches, Parser};
use futures::{StreamExt, stream};
use http::{Method, Request, Response, StatusCode};
use http_body_util::{BodyExt, Full, StreamBody, combinators::UnsyncBoxBody};
use hyper::body::{Bytes, Frame};
use k8s_openapi::api::core::v1::{ConfigMap, Secret};
use kube::{Client, client::Body};
use serde_json::{Value, json};
use tokio::{sync::Notify, task::JoinHandle};
use tower::service_fn;

use super::*;
use crate::{
    controller::{self, Action, Controller},
    flags::Flags,
    leader::{Elector, Watchdog},
    metrics::Metrics,
    namespaces::Namespaces,
    shutdown::Shutdown,
};

/// Events of a test, in order.
#[derive(Clone, Default)]
struct EventLog(Arc<Mutex<Vec<&'static str>>>);

impl EventLog {
    fn push(&self, event: &'static str) {
        self.0.lock().unwrap().push(event);
    }

    fn snapshot(&self) -> Vec<&'static str> {
        self.0.lock().unwrap().clone()
    }

    /// Waits for an event.
    async fn wait_for(&self, event: &str) {
        while !self.snapshot().contains(&event) {
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    }
}

type HttpResponse = Response<UnsyncBoxBody<Bytes, Infallible>>;

/// Serves one `ConfigMap` and, unless `fails`, leases.
fn server(events: EventLog, fails: Arc<Mutex<bool>>) -> Client {
    let leases: Arc<Mutex<HashMap<String, Value>>> = Arc::default();
    Client::new(
        service_fn(move |request: Request<Body>| {
            let (events, fails, leases) = (events.clone(), Arc::clone(&fails), Arc::clone(&leases));
            async move { Ok::<_, Infallible>(respond(request, &events, &fails, &leases).await) }
        }),
        "test",
    )
}

async fn respond(
    request: Request<Body>,
    events: &EventLog,
    fails: &Mutex<bool>,
    leases: &Mutex<HashMap<String, Value>>,
) -> HttpResponse {
    let path = request.uri().path().to_owned();
    let query = request.uri().query().unwrap_or_default().to_owned();
    if path == "/api/v1/secrets" {
        return std::future::pending().await;
    }
    if path == "/api/v1/configmaps" {
        return list_or_watch(&query);
    }
    if *fails.lock().unwrap() {
        return reply(StatusCode::INTERNAL_SERVER_ERROR, &json!({"code": 500}));
    }
    let method = request.method().clone();
    let body = request.into_body().collect_bytes().await.unwrap();
    let mut leases = leases.lock().unwrap();
    if method == Method::GET {
        return match leases.get(&path) {
            Some(lease) => reply(StatusCode::OK, lease),
            None => reply(
                StatusCode::NOT_FOUND,
                &json!({"kind": "Status", "code": 404, "reason": "NotFound"}),
            ),
        };
    }
    let mut lease: Value = serde_json::from_slice(&body).unwrap();
    let path = format!(
        "/apis/coordination.k8s.io/v1/namespaces/test/leases/{}",
        lease["metadata"]["name"].as_str().unwrap()
    );
    match lease["spec"]["holderIdentity"].as_str() {
        None | Some("") => events.push("lease released"),
        _ if method == Method::POST => events.push("lease acquired"),
        _ => {}
    }
    lease["metadata"]["resourceVersion"] = json!(leases.len().to_string());
    leases.insert(path, lease.clone());
    reply(StatusCode::OK, &lease)
}

/// Lists one object, or watches without events.
fn list_or_watch(query: &str) -> HttpResponse {
    if query.contains("watch=true") {
        let silence = stream::pending::<Result<Frame<Bytes>, Infallible>>();
        return Response::new(StreamBody::new(silence).boxed_unsync());
    }
    let object = json!({"metadata": {"name": "one", "namespace": "test", "uid": "1", "resourceVersion": "5"}});
    let list = json!({"apiVersion": "v1", "metadata": {"resourceVersion": "5"}, "items": [object]});
    reply(StatusCode::OK, &list)
}

fn reply(status: StatusCode, body: &Value) -> HttpResponse {
    let body = serde_json::to_vec(body).unwrap();
    let mut response = Response::new(Full::from(body).boxed_unsync());
    *response.status_mut() = status;
    response
}

#[derive(Parser)]
struct Cli {
    #[command(flatten)]
    flags: Flags,
}

/// Parses flags without the environment, with probes off by default.
fn flags(arguments: &[&str]) -> Flags {
    let command = Cli::command().mut_args(|argument| argument.env(None));
    let defaults = ["operator", "--health-probe-bind-address=0"];
    let arguments = defaults.iter().chain(arguments);
    let matches = command.get_matches_from(arguments);
    Cli::from_arg_matches(&matches).unwrap().flags
}

const LEADER_ELECT: [&str; 2] = ["--leader-elect", "--leader-election-namespace=test"];

/// Operator with one object whose reconcile blocks until released.
struct Operator {
    events: EventLog,
    shutdown: Shutdown,
    release: Arc<Notify>,
    fails: Arc<Mutex<bool>>,
    running: JoinHandle<Result<(), Error>>,
}

struct Context {
    events: EventLog,
    release: Arc<Notify>,
}

/// Reports an aborted reconcile.
struct AbortGuard(EventLog);

impl Drop for AbortGuard {
    fn drop(&mut self) {
        self.0.push("reconcile aborted");
    }
}

async fn reconcile(_: Arc<ConfigMap>, context: Arc<Context>) -> Result<Action, controller::Error> {
    context.events.push("reconcile started");
    let guard = AbortGuard(context.events.clone());
    context.release.notified().await;
    std::mem::forget(guard);
    context.events.push("reconcile finished");
    Ok(Action::await_change())
}

/// Creates a manager whose watchdog does not exit the test process.
fn manager(client: Client, arguments: &[&str], shutdown: &Shutdown) -> Manager {
    let (flags, shutdown) = (flags(arguments), shutdown.clone());
    let manager = Manager::with_client("operator", flags, client, Metrics::new(), shutdown);
    let mut manager = manager.unwrap();
    let replace = |elector: Elector| elector.with_watchdog(Watchdog::start(|| {}).unwrap());
    manager.elector = manager.elector.map(replace);
    manager
}

fn operator(arguments: &[&str]) -> Operator {
    let (events, shutdown) = (EventLog::default(), Shutdown::default());
    let (release, fails) = (Arc::<Notify>::default(), Arc::<Mutex<bool>>::default());
    let client = server(events.clone(), Arc::clone(&fails));
    let manager = manager(client, arguments, &shutdown);
    let controller = Controller::new("configmap", &manager.store::<ConfigMap>());
    let context = Context {
        events: events.clone(),
        release: Arc::clone(&release),
    };
    manager.add_controller(controller, reconcile, context);
    Operator {
        events,
        shutdown,
        release,
        fails,
        running: tokio::spawn(manager.run()),
    }
}

#[tokio::test(start_paused = true)]
async fn shutdown_finishes_reconciles_before_it_releases_the_lease() {
    let operator = operator(&LEADER_ELECT);
    operator.events.wait_for("reconcile started").await;
    operator.shutdown.drain.cancel();
    tokio::time::sleep(Duration::from_secs(5)).await;
    operator.events.push("5 s later");
    operator.release.notify_one();

    operator.running.await.unwrap().unwrap();
    assert_eq!(
        operator.events.snapshot(),
        [
            "lease acquired",
            "reconcile started",
            "5 s later",
            "reconcile finished",
            "lease released"
        ]
    );
}

#[tokio::test(start_paused = true)]
async fn without_leader_election_there_is_no_lease() {
    let operator = operator(&[]);
    operator.events.wait_for("reconcile started").await;
    operator.release.notify_one();
    operator.events.wait_for("reconcile finished").await;
    operator.shutdown.drain.cancel();
    operator.running.await.unwrap().unwrap();
    assert_eq!(
        operator.events.snapshot(),
        ["reconcile started", "reconcile finished"]
    );
}

#[tokio::test(start_paused = true)]
async fn the_lease_is_not_released_if_reconciles_were_aborted() {
    let operator = operator(&[LEADER_ELECT[0], LEADER_ELECT[1], "--grace-period=3"]);
    operator.events.wait_for("reconcile started").await;
    operator.shutdown.drain.cancel();
    operator.running.await.unwrap().unwrap();
    assert_eq!(
        operator.events.snapshot(),
        ["lease acquired", "reconcile started", "reconcile aborted"]
    );
}

#[tokio::test(start_paused = true)]
async fn detached_blocking_work_finishes_before_the_lease_is_released() {
    let operator = operator(&LEADER_ELECT);
    operator.events.wait_for("reconcile started").await;
    let (release, blocked) = std::sync::mpsc::channel::<()>();
    let events = operator.events.clone();
    drop(crate::spawn_blocking(move || {
        blocked.recv().unwrap();
        events.push("blocking work ended");
    }));
    operator.release.notify_one();
    operator.shutdown.drain.cancel();
    // Paused time does not advance while the closure runs.
    for _ in 0..1000 {
        tokio::task::yield_now().await;
    }
    release.send(()).unwrap();

    operator.running.await.unwrap().unwrap();
    let events = operator.events.snapshot();
    assert_eq!(
        events[2..],
        [
            "reconcile finished",
            "blocking work ended",
            "lease released"
        ]
    );
}

#[tokio::test(start_paused = true)]
async fn a_second_signal_aborts_immediately() {
    let operator = operator(&[]);
    operator.events.wait_for("reconcile started").await;
    operator.shutdown.drain.cancel();
    operator.shutdown.abort.cancel();
    let error = operator.running.await.unwrap().unwrap_err();
    assert!(matches!(error, Error::Interrupted), "{error}");
    operator.events.wait_for("reconcile aborted").await;
}

#[tokio::test(start_paused = true)]
async fn losing_leadership_aborts_without_a_grace_period() {
    let operator = operator(&LEADER_ELECT);
    operator.events.wait_for("reconcile started").await;
    *operator.fails.lock().unwrap() = true;
    let error = operator.running.await.unwrap().unwrap_err();
    assert!(matches!(error, Error::LeadershipLost(_)), "{error}");
    operator.events.wait_for("reconcile aborted").await;
    assert!(!operator.events.snapshot().contains(&"lease released"));
}

fn idle(arguments: &[&str]) -> Manager {
    let client = server(EventLog::default(), Arc::default());
    manager(client, arguments, &Shutdown::default())
}

#[tokio::test]
async fn is_ready_when_all_caches_are_synced() {
    let manager = idle(&[]);
    assert_eq!(manager.runnables().ready(), Ok(()));
    let store = manager.store::<ConfigMap>();
    let unready = manager.runnables().ready();
    assert_eq!(unready, Err("caches not synced: ConfigMap".to_owned()));

    let (runnables, shutdown) = (Arc::clone(&manager.runnables), manager.shutdown.clone());
    let running = tokio::spawn(manager.run());
    store.wait_until_synced().await;
    assert_eq!(runnables.lock().unwrap().ready(), Ok(()));
    shutdown.drain.cancel();
    running.await.unwrap().unwrap();
}

#[tokio::test(start_paused = true)]
async fn controllers_wait_for_undeclared_stores() {
    let (events, shutdown) = (EventLog::default(), Shutdown::default());
    let client = server(events.clone(), Arc::default());
    let manager = manager(client, &[], &shutdown);
    let config_maps = manager.store::<ConfigMap>();
    // Never listed, and declared by no controller.
    let _secrets = manager.store::<Secret>();
    let context = Context {
        events: events.clone(),
        release: Arc::default(),
    };
    manager.add_controller(
        Controller::new("configmap", &config_maps),
        reconcile,
        context,
    );
    let running = tokio::spawn(manager.run());
    tokio::time::sleep(Duration::from_secs(60)).await;
    assert!(config_maps.is_synced());
    assert_eq!(events.snapshot(), Vec::<&str>::new());
    shutdown.drain.cancel();
    running.await.unwrap().unwrap();
}

#[tokio::test]
async fn stores_of_one_kind_share_a_cache() {
    let manager = idle(&[]);
    let (one, other) = (manager.store::<ConfigMap>(), manager.store::<ConfigMap>());
    assert_eq!(manager.runnables().watches.len(), 1);
    tokio::spawn(manager.run());
    one.wait_until_synced().await;
    assert_eq!((one.len(), other.len()), (1, 1));
}

#[tokio::test]
async fn an_address_in_use_is_reported_with_its_flag() {
    let in_use = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let address = in_use.local_addr().unwrap();
    let manager = idle(&[&format!("--metrics-bind-address={address}")]);
    let error = manager.run().await.unwrap_err().to_string();
    let expected = format!("failed to listen on {address} (--metrics-bind-address)");
    assert_eq!(error, expected);
}

#[tokio::test]
async fn leader_election_outside_a_pod_requires_a_namespace() {
    let client = server(EventLog::default(), Arc::default());
    let flags = flags(&["--leader-elect"]);
    let result = Manager::with_client(
        "operator",
        flags,
        client,
        Metrics::new(),
        Shutdown::default(),
    );
    let error = result.err().expect("no namespace outside a Pod");
    assert!(matches!(error, Error::LeaderElection(_)), "{error}");
}

#[tokio::test]
async fn a_spawned_manager_runs_until_stopped_or_dropped() {
    let start = || {
        let client = server(EventLog::default(), Arc::default());
        let manager = Manager::for_tests("operator", client, Namespaces::All).unwrap();
        let store = manager.store::<ConfigMap>();
        (store, manager.runnables.clone(), manager.spawn())
    };
    let (store, _, running) = start();
    store.wait_until_synced().await;
    running.stop().await.unwrap();

    let (store, runnables, running) = start();
    store.wait_until_synced().await;
    drop(running);
    while Arc::strong_count(&runnables) > 1 {
        tokio::task::yield_now().await;
    }
}

#[tokio::test]
async fn a_panicking_task_is_named() {
    let run = async { panic!("out of {}", "ideas") };
    let (task, error) = lifecycle::run_task(("watch of Pod".to_owned(), Box::pin(run))).await;
    assert_eq!(task, "watch of Pod");
    assert_eq!(error.unwrap().to_string(), "panicked: out of ideas");
}
