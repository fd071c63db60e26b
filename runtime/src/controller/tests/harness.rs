//! Runs a controller and records its reconciles.

use std::{
    sync::{Arc, Mutex},
    time::Duration,
};

use k8s_openapi::api::core::v1::ConfigMap;
use kube::ResourceExt;
use tokio::{task::JoinHandle, time::Instant};
use tokio_util::sync::CancellationToken;

use crate::{
    controller::{Action, Controller, Error, RunOptions},
    leader::{BootInstant, LeadershipSender},
    metrics::Metrics,
    store::CachedResource,
};

/// Recorded reconciles of a test.
pub(super) struct Calls {
    start: Instant,
    recorded: Mutex<Vec<(String, u128)>>,
    pub(super) in_flight: Mutex<Vec<String>>,
    pub(super) max_in_flight: Mutex<usize>,
}

impl Calls {
    pub(super) fn new() -> Arc<Self> {
        Arc::new(Self {
            start: Instant::now(),
            recorded: Mutex::default(),
            in_flight: Mutex::default(),
            max_in_flight: Mutex::default(),
        })
    }

    /// Records a reconcile.
    pub(super) fn record(&self, object: &impl ResourceExt) {
        let call = (object.name_any(), self.start.elapsed().as_millis());
        self.recorded.lock().unwrap().push(call);
    }

    /// Returns the names of the reconciled objects, sorted.
    pub(super) fn names(&self) -> Vec<String> {
        let mut names: Vec<_> = self
            .recorded
            .lock()
            .unwrap()
            .iter()
            .map(|(name, _)| name.clone())
            .collect();
        names.sort();
        names
    }

    /// Returns the times at which an object was reconciled, in milliseconds.
    pub(super) fn times(&self, name: &str) -> Vec<u128> {
        let calls = self.recorded.lock().unwrap();
        calls
            .iter()
            .filter(|(called, _)| called == name)
            .map(|(_, at)| *at)
            .collect()
    }

    pub(super) fn clear(&self) {
        self.recorded.lock().unwrap().clear();
    }

    /// Reconciles an object for some time; asserts that it is not reconciled twice at a time.
    pub(super) async fn work(&self, object: &impl ResourceExt, time: Duration) {
        self.record(object);
        {
            let mut in_flight = self.in_flight.lock().unwrap();
            assert!(
                !in_flight.contains(&object.name_any()),
                "reconciled twice at a time"
            );
            in_flight.push(object.name_any());
            let mut max = self.max_in_flight.lock().unwrap();
            *max = in_flight.len().max(*max);
        }
        tokio::time::sleep(time).await;
        let mut in_flight = self.in_flight.lock().unwrap();
        in_flight.retain(|name| *name != object.name_any());
    }
}

/// A running controller.
pub(super) struct TestController {
    pub(super) calls: Arc<Calls>,
    pub(super) shutdown: CancellationToken,
    pub(super) sender: LeadershipSender,
    pub(super) metrics: Metrics,
    pub(super) task: JoinHandle<()>,
}

impl TestController {
    /// Makes it the leader for longer than any test takes.
    pub(super) fn lead(&self) {
        self.sender
            .lead_until(BootInstant::now() + Duration::from_hours(24));
    }
}

/// Starts a controller as the leader.
pub(super) fn start<K, R, F, E>(controller: Controller<K, Calls>, reconcile: R) -> TestController
where
    K: CachedResource,
    R: Fn(Arc<K>, Arc<Calls>) -> F + Send + Sync + 'static,
    F: Future<Output = Result<Action, E>> + Send + 'static,
    E: Into<Error> + Send + 'static,
{
    let running = start_standby(controller, reconcile);
    running.lead();
    running
}

/// Starts a controller on standby.
pub(super) fn start_standby<K, R, F, E>(
    controller: Controller<K, Calls>,
    reconcile: R,
) -> TestController
where
    K: CachedResource,
    R: Fn(Arc<K>, Arc<Calls>) -> F + Send + Sync + 'static,
    F: Future<Output = Result<Action, E>> + Send + 'static,
    E: Into<Error> + Send + 'static,
{
    let calls = Calls::new();
    let shutdown = CancellationToken::new();
    let sender = LeadershipSender::default();
    let metrics = Metrics::new();
    let options = RunOptions {
        shutdown: shutdown.clone(),
        leadership: sender.leadership(),
        metrics: metrics.controller("test"),
        ..RunOptions::default()
    };
    let task = tokio::spawn(controller.run(reconcile, Arc::clone(&calls), options));
    TestController {
        calls,
        shutdown,
        sender,
        metrics,
        task,
    }
}

/// Reconciler that does nothing.
pub(super) async fn record<K: CachedResource>(
    object: Arc<K>,
    calls: Arc<Calls>,
) -> Result<Action, Error> {
    calls.record(&*object);
    Ok(Action::await_change())
}

/// Reconciler that takes a second.
pub(super) async fn work(object: Arc<ConfigMap>, calls: Arc<Calls>) -> Result<Action, Error> {
    calls.work(&*object, Duration::from_secs(1)).await;
    Ok(Action::await_change())
}

pub(super) async fn sleep_ms(milliseconds: u64) {
    tokio::time::sleep(Duration::from_millis(milliseconds)).await;
}
