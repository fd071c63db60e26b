//! What the wrapper costs for each reconcile: the same function, which does nothing, called by kb's controller and by kube's own.
//!
//! kube's is its `applier`, started as kube's `Controller::run` does it, with all objects queued at once. Both have the same objects in their
//! caches (kb as text, to be read), as many workers, and run on the same threads. What kb adds is counted in: metrics, retries, caught panics,
//! a span.

use std::{
    convert::Infallible,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::{Duration, Instant},
};

use anyhow::{Context as _, Result};
use futures::{StreamExt, stream};
use kb::{
    controller::{Action, Controller, RunOptions},
    k8s_openapi::{api::core::v1::ConfigMap, apimachinery::pkg::apis::meta::v1::ObjectMeta},
    log,
    store::Store,
};
use kube::runtime::{
    Config, applier,
    controller::{Action as KubeAction, ReconcileReason, ReconcileRequest},
    reflector::{self, ObjectRef},
    utils::CancelableJoinHandle,
};
use tokio::runtime::{Builder, Handle, Runtime};
use tracing::Instrument;
use tracing_subscriber::EnvFilter;

use super::reflected;
use crate::{options::Options, samples::Samples};

/// How many objects are reconciled.
pub(crate) const OBJECTS: u32 = 20_000;
/// How many of them at once, as kb has it by default.
pub(crate) const WORKERS: u16 = 8;

/// What the reconciles run on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Threads {
    /// One for each core, as operators do.
    Cores,
    /// A single one: what takes no longer on several may still keep all of them busy.
    One,
}

/// Whether there is a log.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Log {
    Off,
    /// At level info and as JSON, as in a cluster. Nothing is written, but every span is made.
    Info,
}

/// The time of one reconcile, in microseconds.
pub(crate) type Measure = (Log, Threads);

/// The figures of both.
#[derive(Debug, Default)]
pub(crate) struct Reconciles {
    pub(crate) kb: Samples<Measure>,
    pub(crate) kube: Samples<Measure>,
}

/// Makes all reconciles.
pub(crate) fn run(options: &Options) -> Result<Reconciles> {
    let store: Store<_> = (0..OBJECTS).map(object).collect();
    let kube_store = reflected((0..OBJECTS).map(object));
    let cores = Builder::new_multi_thread().enable_time().build();
    let one = Builder::new_multi_thread()
        .worker_threads(1)
        .enable_time()
        .build();
    let runtimes = [
        (Threads::Cores, cores.context("cannot start tokio")?),
        (Threads::One, one.context("cannot start tokio")?),
    ];
    let mut reconciles = Reconciles::default();
    for log in [Log::Off, Log::Info] {
        if log == Log::Info {
            // It is set up once in the life of a process, so all without it comes first.
            log::init(EnvFilter::new("info"), Some(log::Format::Json))?;
        }
        for (_, runtime) in &runtimes {
            time(runtime, kb(store.clone()))?;
            time(runtime, plain(kube_store.clone()))?;
        }
        for round in 1..=options.runs {
            eprintln!(
                "bench: runtime, reconciles, log {log:?}: {round} of {}",
                options.runs
            );
            for (threads, runtime) in &runtimes {
                let measure = (log, *threads);
                reconciles
                    .kb
                    .push(measure, time(runtime, kb(store.clone()))?);
                reconciles
                    .kube
                    .push(measure, time(runtime, plain(kube_store.clone()))?);
            }
        }
    }
    Ok(reconciles)
}

/// Microseconds per reconcile.
fn time(runtime: &Runtime, work: impl Future<Output = Duration> + Send + 'static) -> Result<f64> {
    let took = runtime
        .block_on(runtime.spawn(work))
        .context("a reconcile panicked")?;
    Ok(took.as_secs_f64() * 1e6 / f64::from(OBJECTS))
}

/// How many reconciles are left. The last one ends the work.
struct Countdown {
    left: AtomicUsize,
    options: RunOptions,
}

impl Countdown {
    fn new() -> Arc<Self> {
        Arc::new(Self {
            left: AtomicUsize::new(OBJECTS as usize),
            options: RunOptions::default(),
        })
    }

    /// One is done.
    fn count(&self) {
        if self.left.fetch_sub(1, Ordering::Relaxed) == 1 {
            self.options.shutdown.cancel();
        }
    }
}

async fn reconcile(_: Arc<ConfigMap>, countdown: Arc<Countdown>) -> Result<Action, Infallible> {
    countdown.count();
    Ok(Action::await_change())
}

async fn plain_reconcile(
    _: Arc<ConfigMap>,
    countdown: Arc<Countdown>,
) -> Result<KubeAction, Infallible> {
    countdown.count();
    std::future::ready(Ok(KubeAction::await_change())).await
}

async fn kb(store: Store<ConfigMap>) -> Duration {
    let countdown = Countdown::new();
    let options = countdown.options.clone();
    let start = Instant::now();
    let controller = Controller::new("bench", &store).concurrency(WORKERS);
    controller.run(reconcile, countdown, options).await;
    start.elapsed()
}

async fn plain(reader: reflector::Store<ConfigMap>) -> Duration {
    let countdown = Countdown::new();
    let shutdown = countdown.options.shutdown.clone();
    let start = Instant::now();
    let requests = reader.state().into_iter().map(|object| {
        Ok::<_, Infallible>(ReconcileRequest {
            obj_ref: ObjectRef::from_obj(&*object),
            reason: ReconcileReason::ObjectUpdated,
        })
    });
    let queue = stream::iter(requests).chain(stream::pending());
    let spawned = |object, countdown| {
        let reconcile = plain_reconcile(object, countdown).in_current_span();
        CancelableJoinHandle::spawn(reconcile, &Handle::current())
    };
    applier(
        spawned,
        |_, impossible: &Infallible, _| match *impossible {},
        countdown,
        reader,
        queue.take_until(shutdown.cancelled()),
        Config::default().concurrency(WORKERS),
    )
    .for_each(|_| std::future::ready(()))
    .await;
    start.elapsed()
}

fn object(number: u32) -> ConfigMap {
    ConfigMap {
        metadata: ObjectMeta {
            name: Some(format!("settings-{number}")),
            namespace: Some("shop".to_owned()),
            uid: Some(format!("5a1e0f5c-7d0b-4b1e-9c55-{number:012}")),
            resource_version: Some(number.to_string()),
            ..ObjectMeta::default()
        },
        ..ConfigMap::default()
    }
}
