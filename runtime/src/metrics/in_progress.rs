//! Durations of running reconciles: client-go's unfinished work and longest running processor.
//!
//! Only these show a hanging reconcile, because histograms observe a reconcile when it ends. client-go updates both gauges twice a second; here
//! they are computed when the metrics are scraped.

use std::{
    collections::BTreeMap,
    fmt,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use prometheus_client::{
    collector::Collector,
    encoding::{DescriptorEncoder, EncodeMetric},
    metrics::{MetricType, gauge::ConstGauge},
};
use tokio::time::Instant;

use super::families::QueueLabels;

/// Start times of the running reconciles of one controller, at most one per worker.
#[derive(Debug, Default)]
pub(super) struct InProgress(Mutex<Vec<Instant>>);

impl InProgress {
    pub(super) fn add(&self, start: Instant) {
        self.starts().push(start);
    }

    /// Removes one reconcile with this start time.
    pub(super) fn remove(&self, start: Instant) {
        let mut starts = self.starts();
        if let Some(position) = starts.iter().position(|other| *other == start) {
            starts.swap_remove(position);
        }
    }

    fn unfinished(&self) -> Duration {
        self.starts().iter().map(Instant::elapsed).sum()
    }

    fn longest(&self) -> Duration {
        let starts = self.starts();
        starts
            .iter()
            .map(Instant::elapsed)
            .max()
            .unwrap_or_default()
    }

    fn starts(&self) -> MutexGuard<'_, Vec<Instant>> {
        // Nothing panics while the lock is held.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Running reconciles by controller. Clones share them.
#[derive(Debug, Clone, Default)]
pub(super) struct InProgressByController(Arc<Mutex<BTreeMap<String, Arc<InProgress>>>>);

impl InProgressByController {
    pub(super) fn controller(&self, name: &str) -> Arc<InProgress> {
        Arc::clone(self.controllers().entry(name.to_owned()).or_default())
    }

    fn controllers(&self) -> MutexGuard<'_, BTreeMap<String, Arc<InProgress>>> {
        // Nothing panics while the lock is held.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Collector for InProgressByController {
    fn encode(&self, mut encoder: DescriptorEncoder<'_>) -> fmt::Result {
        let controllers = self.controllers();
        let mut write = |name, help, value: fn(&InProgress) -> Duration| {
            let mut gauge = encoder.encode_descriptor(name, help, None, MetricType::Gauge)?;
            for (controller, in_progress) in &*controllers {
                let seconds = ConstGauge::new(value(in_progress).as_secs_f64());
                seconds.encode(gauge.encode_family(&QueueLabels::new(controller))?)?;
            }
            Ok(())
        };
        write(
            "workqueue_unfinished_work_seconds",
            "How many seconds of work has been done that is in progress and hasn't been observed by work_duration. Large values \
             indicate stuck reconciles",
            InProgress::unfinished,
        )?;
        write(
            "workqueue_longest_running_processor_seconds",
            "How many seconds has the longest running processor for workqueue been running",
            InProgress::longest,
        )
    }
}
