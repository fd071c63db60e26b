//! The life of an operator, with a small API server in memory and a clock that jumps.

mod black_hole;
mod standby;
mod unavailable;

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

/// What happened, in order.
#[derive(Clone, Default)]
struct Story(Arc<Mutex<Vec<&'static str>>>);

impl Story {
    fn tell(&self, what: &'static str) {
        self.0.lock().unwrap().push(what);
    }

    fn so_far(&self) -> Vec<&'static str> {
        self.0.lock().unwrap().clone()
    }

    /// Waits until something has happened.
    async fn until(&self, what: &str) {
        while !self.so_far().contains(&what) {
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    }
}

type Answer = Response<UnsyncBoxBody<Bytes, Infallible>>;

/// One `ConfigMap`, and leases that can be written unless `fails` says otherwise.
fn server(story: Story, fails: Arc<Mutex<bool>>) -> Client {
    let leases: Arc<Mutex<HashMap<String, Value>>> = Arc::default();
    Client::new(
        service_fn(move |request: Request<Body>| {
            let (story, fails, leases) = (story.clone(), Arc::clone(&fails), Arc::clone(&leases));
            async move { Ok::<_, Infallible>(answer(request, &story, &fails, &leases).await) }
        }),
        "test",
    )
}

async fn answer(
    request: Request<Body>,
    story: &Story,
    fails: &Mutex<bool>,
    leases: &Mutex<HashMap<String, Value>>,
) -> Answer {
    let path = request.uri().path().to_owned();
    let query = request.uri().query().unwrap_or_default().to_owned();
    if path == "/api/v1/configmaps" && query.contains("watch=true") {
        let silence = stream::pending::<Result<Frame<Bytes>, Infallible>>();
        return Response::new(StreamBody::new(silence).boxed_unsync());
    }
    if path == "/api/v1/secrets" {
        return std::future::pending().await;
    }
    if path == "/api/v1/configmaps" {
        let object = json!({"metadata": {"name": "one", "namespace": "test", "uid": "1", "resourceVersion": "5"}});
        let list = json!({"kind": "ConfigMapList", "apiVersion": "v1", "metadata": {"resourceVersion": "5"}, "items": [object]});
        return reply(StatusCode::OK, &list);
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
        None | Some("") => story.tell("lease released"),
        _ if method == Method::POST => story.tell("lease taken"),
        _ => {}
    }
    lease["metadata"]["resourceVersion"] = json!(leases.len().to_string());
    leases.insert(path, lease.clone());
    reply(StatusCode::OK, &lease)
}

fn reply(status: StatusCode, body: &Value) -> Answer {
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

/// Flags without the environment of the tests. Probes are off unless they are asked for.
fn flags(arguments: &[&str]) -> Flags {
    let command = Cli::command().mut_args(|argument| argument.env(None));
    let usual = ["operator", "--health-probe-bind-address=0"];
    let arguments = usual.iter().chain(arguments);
    let matches = command.get_matches_from(arguments);
    Cli::from_arg_matches(&matches).unwrap().flags
}

const ELECTED: [&str; 2] = ["--leader-elect", "--leader-election-namespace=test"];

/// An operator with one object, whose reconcile lasts until it is let go.
struct Operator {
    story: Story,
    shutdown: Shutdown,
    let_go: Arc<Notify>,
    fails: Arc<Mutex<bool>>,
    running: JoinHandle<Result<(), Error>>,
}

struct Context {
    story: Story,
    let_go: Arc<Notify>,
}

/// Tells when a reconcile ends before it is through.
struct Cut(Story);

impl Drop for Cut {
    fn drop(&mut self) {
        self.0.tell("cut off");
    }
}

async fn reconcile(_: Arc<ConfigMap>, context: Arc<Context>) -> Result<Action, controller::Error> {
    context.story.tell("reconcile began");
    let cut = Cut(context.story.clone());
    context.let_go.notified().await;
    std::mem::forget(cut);
    context.story.tell("reconcile ended");
    Ok(Action::await_change())
}

/// A manager that does not end the process of the tests.
fn harmless(mut manager: Manager) -> Manager {
    let harmless = |elector: Elector| elector.watched(Watchdog::start(|| {}).unwrap());
    manager.elector = manager.elector.map(harmless);
    manager
}

fn operator(arguments: &[&str]) -> Operator {
    let (story, shutdown) = (Story::default(), Shutdown::default());
    let (let_go, fails) = (Arc::<Notify>::default(), Arc::<Mutex<bool>>::default());
    let client = server(story.clone(), Arc::clone(&fails));
    let manager = Manager::with_client(
        "operator",
        flags(arguments),
        client,
        Metrics::new(),
        shutdown.clone(),
    )
    .unwrap();
    let manager = harmless(manager);
    let controller = Controller::new("configmap", &manager.store::<ConfigMap>());
    let context = Context {
        story: story.clone(),
        let_go: Arc::clone(&let_go),
    };
    manager.start(controller, reconcile, context);
    Operator {
        story,
        shutdown,
        let_go,
        fails,
        running: tokio::spawn(manager.run()),
    }
}

#[tokio::test(start_paused = true)]
async fn work_is_finished_and_then_the_lease_is_given_back() {
    let operator = operator(&ELECTED);
    operator.story.until("reconcile began").await;
    operator.shutdown.drain.cancel();
    tokio::time::sleep(Duration::from_secs(5)).await;
    operator.story.tell("5 s later");
    operator.let_go.notify_one();

    operator.running.await.unwrap().unwrap();
    assert_eq!(
        operator.story.so_far(),
        [
            "lease taken",
            "reconcile began",
            "5 s later",
            "reconcile ended",
            "lease released"
        ]
    );
}

#[tokio::test(start_paused = true)]
async fn without_election_there_is_no_lease() {
    let operator = operator(&[]);
    operator.story.until("reconcile began").await;
    operator.let_go.notify_one();
    operator.story.until("reconcile ended").await;
    operator.shutdown.drain.cancel();
    operator.running.await.unwrap().unwrap();
    assert_eq!(
        operator.story.so_far(),
        ["reconcile began", "reconcile ended"]
    );
}

#[tokio::test(start_paused = true)]
async fn the_lease_is_not_released_after_work_was_cut_off() {
    let operator = operator(&[ELECTED[0], ELECTED[1], "--grace-period=3"]);
    operator.story.until("reconcile began").await;
    operator.shutdown.drain.cancel();
    operator.running.await.unwrap().unwrap();
    assert_eq!(
        operator.story.so_far(),
        ["lease taken", "reconcile began", "cut off"]
    );
}

#[tokio::test(start_paused = true)]
async fn blocking_work_that_nobody_awaits_is_finished_before_the_lease_is_released() {
    let operator = operator(&ELECTED);
    operator.story.until("reconcile began").await;
    let (let_go, held) = std::sync::mpsc::channel::<()>();
    let story = operator.story.clone();
    drop(crate::spawn_blocking(move || {
        held.recv().unwrap();
        story.tell("blocking work ended");
    }));
    operator.let_go.notify_one();
    operator.shutdown.drain.cancel();
    // The clock stands still while the closure runs.
    for _ in 0..1000 {
        tokio::task::yield_now().await;
    }
    let_go.send(()).unwrap();

    operator.running.await.unwrap().unwrap();
    let story = operator.story.so_far();
    assert_eq!(
        story[2..],
        ["reconcile ended", "blocking work ended", "lease released"]
    );
}

#[tokio::test(start_paused = true)]
async fn a_second_signal_ends_it_at_once() {
    let operator = operator(&[]);
    operator.story.until("reconcile began").await;
    operator.shutdown.drain.cancel();
    operator.shutdown.now.cancel();
    let error = operator.running.await.unwrap().unwrap_err();
    assert!(matches!(error, Error::Interrupted), "{error}");
    operator.story.until("cut off").await;
}

#[tokio::test(start_paused = true)]
async fn lost_leadership_ends_it_with_an_error_and_without_a_drain() {
    let operator = operator(&ELECTED);
    operator.story.until("reconcile began").await;
    *operator.fails.lock().unwrap() = true;
    let error = operator.running.await.unwrap().unwrap_err();
    assert!(matches!(error, Error::Lost(_)), "{error}");
    operator.story.until("cut off").await;
    assert!(!operator.story.so_far().contains(&"lease released"));
}

fn idle(arguments: &[&str]) -> Manager {
    let client = server(Story::default(), Arc::default());
    let shutdown = Shutdown::default();
    Manager::with_client(
        "operator",
        flags(arguments),
        client,
        Metrics::new(),
        shutdown,
    )
    .unwrap()
}

#[tokio::test]
async fn it_is_ready_when_every_cache_is_synced() {
    let manager = idle(&[]);
    assert_eq!(manager.registered().ready(), Ok(()));
    let store = manager.store::<ConfigMap>();
    let unready = manager.registered().ready();
    assert_eq!(unready, Err("not listed yet: ConfigMap".to_owned()));

    let (registered, shutdown) = (Arc::clone(&manager.registered), manager.shutdown.clone());
    let running = tokio::spawn(manager.run());
    store.wait_until_synced().await;
    assert_eq!(registered.lock().unwrap().ready(), Ok(()));
    shutdown.drain.cancel();
    running.await.unwrap().unwrap();
}

#[tokio::test(start_paused = true)]
async fn nothing_is_reconciled_while_a_cache_is_empty_that_it_may_look_into() {
    let (story, shutdown) = (Story::default(), Shutdown::default());
    let client = server(story.clone(), Arc::default());
    let manager = Manager::with_client(
        "operator",
        flags(&[]),
        client,
        Metrics::new(),
        shutdown.clone(),
    )
    .unwrap();
    let config_maps = manager.store::<ConfigMap>();
    // Its list is never answered, and no controller watches it.
    let _secrets = manager.store::<Secret>();
    let context = Context {
        story: story.clone(),
        let_go: Arc::default(),
    };
    manager.start(
        Controller::new("configmap", &config_maps),
        reconcile,
        context,
    );
    let running = tokio::spawn(manager.run());
    tokio::time::sleep(Duration::from_secs(60)).await;
    assert!(config_maps.is_synced());
    assert_eq!(story.so_far(), Vec::<&str>::new());
    shutdown.drain.cancel();
    running.await.unwrap().unwrap();
}

#[tokio::test]
async fn one_kind_has_one_cache_whoever_asks() {
    let manager = idle(&[]);
    let (one, other) = (manager.store::<ConfigMap>(), manager.store::<ConfigMap>());
    assert_eq!(manager.registered().watches.len(), 1);
    tokio::spawn(manager.run());
    one.wait_until_synced().await;
    assert_eq!((one.len(), other.len()), (1, 1));
}

#[tokio::test]
async fn an_address_that_is_taken_is_an_error_that_names_the_flag() {
    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let address = taken.local_addr().unwrap();
    let manager = idle(&[&format!("--metrics-bind-address={address}")]);
    let error = manager.run().await.unwrap_err().to_string();
    assert!(error.contains("--metrics-bind-address"), "{error}");
    assert!(error.contains(&address.to_string()), "{error}");
}

#[tokio::test]
async fn election_without_a_namespace_says_what_to_do() {
    let client = server(Story::default(), Arc::default());
    let flags = flags(&["--leader-elect"]);
    let made = Manager::with_client(
        "operator",
        flags,
        client,
        Metrics::new(),
        Shutdown::default(),
    );
    let error = made.err().expect("no pod, no namespace").to_string();
    assert!(error.contains("--leader-election-namespace"), "{error}");
}

#[tokio::test]
async fn beside_a_test_it_runs_until_it_is_stopped_or_dropped() {
    let start = || {
        let client = server(Story::default(), Arc::default());
        let manager = Manager::in_tests("operator", client, Namespaces::All).unwrap();
        let store = manager.store::<ConfigMap>();
        (store, manager.registered.clone(), manager.spawn())
    };
    let (store, _, running) = start();
    store.wait_until_synced().await;
    running.stop().await.unwrap();

    let (store, registered, running) = start();
    store.wait_until_synced().await;
    drop(running);
    while Arc::strong_count(&registered) > 1 {
        tokio::task::yield_now().await;
    }
}

#[tokio::test]
async fn a_part_that_panics_is_named() {
    let run = async { panic!("out of {}", "ideas") };
    let (part, error) = lifecycle::running(("the watch of Pod".to_owned(), Box::pin(run))).await;
    assert_eq!(part, "the watch of Pod");
    assert_eq!(error.unwrap().to_string(), "it panicked: out of ideas");
}
