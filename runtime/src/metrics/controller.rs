//! What one controller counts: its reconciles, and the queue in front of them.
//!
//! Labels are resolved when a controller is named. After that a count is an atomic addition, and a duration a short lock:
//! nothing is formatted, hashed or allocated per reconcile.

use std::{sync::Arc, time::Duration};

use prometheus_client::metrics::{counter::Counter, gauge::Gauge, histogram::Histogram};

use super::families::ControllerFamilies;

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

    /// A worker took it, after this time in the queue.
    pub fn started(&self, waited: Duration) {
        self.series.depth.dec();
        self.series.active_workers.inc();
        self.series.queue_duration.observe(waited.as_secs_f64());
    }

    /// The worker is free again.
    pub fn ended(&self, outcome: Outcome, took: Duration) {
        let series = &*self.series;
        let seconds = took.as_secs_f64();
        series.active_workers.dec();
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
    pub(super) reconcile_time: Histogram,
    pub(super) most_workers: Gauge,
    pub(super) active_workers: Gauge,
    pub(super) depth: Gauge,
    pub(super) adds: Counter,
    pub(super) retries: Counter,
    pub(super) queue_duration: Histogram,
    pub(super) work_duration: Histogram,
}
