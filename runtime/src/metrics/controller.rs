//! Metrics of one controller: its reconciles and its work queue.
//!
//! Labels are resolved once per controller. After that a counter is an atomic addition and a histogram a short lock; nothing is formatted,
//! hashed or allocated per reconcile.

use std::{sync::Arc, time::Duration};

use prometheus_client::metrics::{counter::Counter, gauge::Gauge, histogram::Histogram};
use tokio::time::Instant;

use super::{families::ControllerFamilies, in_progress::InProgress};

/// Result of a reconcile.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ReconcileResult {
    /// Done until something changes.
    Success,
    /// Done, to be reconciled again after a delay.
    RequeueAfter,
    /// Failed, to be retried.
    Error,
    /// Failed, not to be retried.
    TerminalError,
}

/// Metrics of one controller; see [`Metrics::controller`](super::Metrics::controller). Clones share them.
///
/// The default belongs to no registry, so it is never exported.
#[derive(Debug, Clone)]
pub struct ControllerMetrics {
    series: Arc<Series>,
}

impl ControllerMetrics {
    pub(crate) fn set_max_concurrent_reconciles(&self, max: u16) {
        self.series.max_concurrent.set(max.into());
    }

    /// Counts an object added to the queue.
    pub(crate) fn queued(&self) {
        self.series.depth.inc();
        self.series.adds.inc();
    }

    /// Counts an object taken from the queue. The worker is active until the result is dropped.
    pub(crate) fn started(&self, waited: Duration) -> InFlight {
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

    /// Counts a finished reconcile.
    pub(crate) fn finished(&self, result: ReconcileResult, elapsed: Duration) {
        let series = &*self.series;
        let seconds = elapsed.as_secs_f64();
        series.reconcile_time.observe(seconds);
        series.work_duration.observe(seconds);
        match result {
            ReconcileResult::Success => series.success.inc(),
            ReconcileResult::RequeueAfter => series.requeue_after.inc(),
            ReconcileResult::Error | ReconcileResult::TerminalError => {
                if result == ReconcileResult::TerminalError {
                    series.terminal_errors.inc();
                }
                series.errors.inc();
                series.error.inc()
            }
        };
    }

    /// Counts a queued object that is not reconciled: it was deleted, or the controller stops.
    pub(crate) fn dropped(&self) {
        self.series.depth.dec();
    }

    /// Counts a retry.
    pub(crate) fn retried(&self) {
        self.series.retries.inc();
    }

    /// Counts a panic, in addition to [`finished`](Self::finished).
    pub(crate) fn panicked(&self) {
        self.series.panics.inc();
    }

    /// Counts a timeout, in addition to [`finished`](Self::finished).
    pub(crate) fn timed_out(&self) {
        self.series.timeouts.inc();
    }

    /// Counts a panic of a mapper.
    pub(crate) fn mapper_panicked(&self) {
        self.series.mapper_panics.inc();
    }
}

/// Running reconcile; see [`ControllerMetrics::started`].
#[derive(Debug)]
#[must_use = "dropping it marks the worker as idle"]
pub(crate) struct InFlight {
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

/// Time series of one controller.
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
    pub(super) max_concurrent: Gauge,
    pub(super) active_workers: Gauge,
    pub(super) depth: Gauge,
    pub(super) adds: Counter,
    pub(super) retries: Counter,
    pub(super) queue_duration: Histogram,
    pub(super) work_duration: Histogram,
    pub(super) in_progress: Arc<InProgress>,
}
