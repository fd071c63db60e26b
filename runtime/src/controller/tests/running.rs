//! A controller that runs, and what its reconciles did.

use std::{
    sync::{Arc, Mutex},
    time::Duration,
};

use k8s_openapi::api::core::v1::ConfigMap;
use kube::ResourceExt;
use tokio::{task::JoinHandle, time::Instant};
use tokio_util::sync::CancellationToken;

use crate::{
    controller::{Action, Around, Controller, Error},
    leader::{Grant, Moment},
    metrics::ControllerMetrics,
    store::CachedResource,
};

/// What the reconciles of a test did, and when.
pub(super) struct Calls {
    start: Instant,
    made: Mutex<Vec<(String, u128)>>,
    pub(super) under_way: Mutex<Vec<String>>,
    pub(super) most_at_once: Mutex<usize>,
}

impl Calls {
    pub(super) fn new() -> Arc<Self> {
        Arc::new(Self {
            start: Instant::now(),
            made: Mutex::default(),
            under_way: Mutex::default(),
            most_at_once: Mutex::default(),
        })
    }

    /// An object is reconciled.
    pub(super) fn note(&self, object: &impl ResourceExt) {
        let call = (object.name_any(), self.start.elapsed().as_millis());
        self.made.lock().unwrap().push(call);
    }

    /// The names of all objects that were reconciled, sorted.
    pub(super) fn names(&self) -> Vec<String> {
        let mut names: Vec<_> = self
            .made
            .lock()
            .unwrap()
            .iter()
            .map(|(name, _)| name.clone())
            .collect();
        names.sort();
        names
    }

    /// The milliseconds at which an object was reconciled.
    pub(super) fn times(&self, name: &str) -> Vec<u128> {
        let calls = self.made.lock().unwrap();
        calls
            .iter()
            .filter(|(called, _)| called == name)
            .map(|(_, at)| *at)
            .collect()
    }

    pub(super) fn clear(&self) {
        self.made.lock().unwrap().clear();
    }

    /// Reconciles an object for a time, and never one twice at once.
    pub(super) async fn work(&self, object: &impl ResourceExt, time: Duration) {
        self.note(object);
        {
            let mut under_way = self.under_way.lock().unwrap();
            assert!(!under_way.contains(&object.name_any()), "twice at once");
            under_way.push(object.name_any());
            let mut most = self.most_at_once.lock().unwrap();
            *most = under_way.len().max(*most);
        }
        tokio::time::sleep(time).await;
        let mut under_way = self.under_way.lock().unwrap();
        under_way.retain(|name| *name != object.name_any());
    }
}

/// A controller that runs.
pub(super) struct Running {
    pub(super) calls: Arc<Calls>,
    pub(super) shutdown: CancellationToken,
    pub(super) grant: Grant,
    pub(super) task: JoinHandle<()>,
}

impl Running {
    /// It leads, for longer than any test takes.
    pub(super) fn lead(&self) {
        self.grant.until(Moment::now() + Duration::from_hours(24));
    }
}

/// Starts a controller that leads.
pub(super) fn start<K, R, F, E>(controller: Controller<K>, reconcile: R) -> Running
where
    K: CachedResource,
    R: Fn(Arc<K>, Arc<Calls>) -> F + Send + Sync + 'static,
    F: Future<Output = Result<Action, E>> + Send + 'static,
    E: Into<Error> + Send + 'static,
{
    let running = stand_by(controller, reconcile);
    running.lead();
    running
}

/// Starts a controller that does not lead.
pub(super) fn stand_by<K, R, F, E>(controller: Controller<K>, reconcile: R) -> Running
where
    K: CachedResource,
    R: Fn(Arc<K>, Arc<Calls>) -> F + Send + Sync + 'static,
    F: Future<Output = Result<Action, E>> + Send + 'static,
    E: Into<Error> + Send + 'static,
{
    let calls = Calls::new();
    let shutdown = CancellationToken::new();
    let grant = Grant::default();
    let around = Around {
        shutdown: shutdown.clone(),
        leadership: grant.leadership(),
        metrics: ControllerMetrics::default(),
        ..Around::default()
    };
    let task = tokio::spawn(controller.run(reconcile, Arc::clone(&calls), around));
    Running {
        calls,
        shutdown,
        grant,
        task,
    }
}

/// A reconcile that does nothing.
pub(super) async fn note<K: CachedResource>(
    object: Arc<K>,
    calls: Arc<Calls>,
) -> Result<Action, Error> {
    calls.note(&*object);
    Ok(Action::await_change())
}

/// A reconcile that takes a second.
pub(super) async fn work(object: Arc<ConfigMap>, calls: Arc<Calls>) -> Result<Action, Error> {
    calls.work(&*object, Duration::from_secs(1)).await;
    Ok(Action::await_change())
}

pub(super) async fn pass(milliseconds: u64) {
    tokio::time::sleep(Duration::from_millis(milliseconds)).await;
}
