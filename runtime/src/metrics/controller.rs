//! What one controller counts: its reconciles, and the queue in front of them.
//!
//! Labels are resolved when a controller is named. After that a count is an atomic addition, and a duration a short lock:
//! nothing is formatted, hashed or allocated per reconcile.

use std::{sync::Arc, time::Duration};

use prometheus_client::metrics::{counter::Counter, gauge::Gauge, histogram::Histogram};

use tokio::time::Instant;

use super::{families::ControllerFamilies, in_progress::InProgress};

/// How a call of reconcile ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    /// It is done until something changes.
    Success,
    /// It is done, and looked at again after a while.
    RequeueAfter,
    /// It failed, and is tried again.
    Error,
    /// It failed in a way that trying again does not mend.
    TerminalError,
}

/// The counters of one controller. Clones count together.
///
/// The default is in no registry: it counts, and nobody sees it.
#[derive(Debug, Clone)]
pub struct ControllerMetrics {
    series: Arc<Series>,
}

impl ControllerMetrics {
    /// How many objects may be reconciled at once.
    pub fn workers(&self, most: usize) {
        self.series
            .most_workers
            .set(i64::try_from(most).unwrap_or(i64::MAX));
    }

    /// A change waits for a worker.
    pub fn queued(&self) {
        self.series.depth.inc();
        self.series.adds.inc();
    }

    /// A worker took it, after this time in the queue. The worker is busy until the result is dropped.
    pub fn started(&self, waited: Duration) -> InFlight {
        self.series.depth.dec();
        self.series.active_workers.inc();
        self.series.queue_duration.observe(waited.as_secs_f64());
        let start = Instant::now();
        self.series.in_progress.add(start);
        InFlight {
            series: Arc::clone(&self.series),
            start,
        }
    }

    /// Counts a reconcile by its outcome.
    pub fn ended(&self, outcome: Outcome, took: Duration) {
        let series = &*self.series;
        let seconds = took.as_secs_f64();
        series.reconcile_time.observe(seconds);
        series.work_duration.observe(seconds);
        match outcome {
            Outcome::Success => series.success.inc(),
            Outcome::RequeueAfter => series.requeue_after.inc(),
            Outcome::Error | Outcome::TerminalError => {
                if outcome == Outcome::TerminalError {
                    series.terminal_errors.inc();
                }
                series.errors.inc();
                series.error.inc()
            }
        };
    }

    /// What waited is gone without having been reconciled: the object was deleted, or the operator stops.
    pub fn dropped(&self) {
        self.series.depth.dec();
    }

    /// An object is tried again after an error.
    pub fn retried(&self) {
        self.series.retries.inc();
    }

    /// A reconcile panicked. [`ended`](Self::ended) is called as well.
    pub fn panicked(&self) {
        self.series.panics.inc();
    }

    /// A reconcile was cancelled because it took too long. [`ended`](Self::ended) is called as well.
    pub fn timed_out(&self) {
        self.series.timeouts.inc();
    }

    /// A mapper panicked.
    pub(crate) fn mapper_panicked(&self) {
        self.series.mapper_panics.inc();
    }
}

/// A reconcile in progress: see [`ControllerMetrics::started`].
#[derive(Debug)]
#[must_use = "the worker counts as free when this is dropped"]
pub struct InFlight {
    series: Arc<Series>,
    start: Instant,
}

impl Drop for InFlight {
    fn drop(&mut self) {
        self.series.active_workers.dec();
        self.series.in_progress.remove(self.start);
    }
}

impl From<Series> for ControllerMetrics {
    fn from(series: Series) -> Self {
        Self {
            series: Arc::new(series),
        }
    }
}

impl Default for ControllerMetrics {
    fn default() -> Self {
        ControllerFamilies::default().controller("").into()
    }
}

/// The time series of one controller.
#[derive(Debug)]
pub(super) struct Series {
    pub(super) success: Counter,
    pub(super) requeue_after: Counter,
    pub(super) error: Counter,
    pub(super) errors: Counter,
    pub(super) terminal_errors: Counter,
    pub(super) panics: Counter,
    pub(super) timeouts: Counter,
    pub(super) mapper_panics: Counter,
    pub(super) reconcile_time: Histogram,
    pub(super) most_workers: Gauge,
    pub(super) active_workers: Gauge,
    pub(super) depth: Gauge,
    pub(super) adds: Counter,
    pub(super) retries: Counter,
    pub(super) queue_duration: Histogram,
    pub(super) work_duration: Histogram,
    pub(super) in_progress: Arc<InProgress>,
}
