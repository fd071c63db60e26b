//! Metric families of controllers: controller-runtime's names, labels and buckets.

use prometheus_client::{
    encoding::EncodeLabelSet,
    metrics::{counter::Counter, family::Family, gauge::Gauge, histogram::Histogram},
    registry::Registry,
};

use super::{controller::Series, in_progress::InProgressByController};

/// controller-runtime's buckets for reconcile durations, in seconds.
const RECONCILE_BUCKETS: [f64; 40] = [
    0.005, 0.01, 0.025, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4, 0.45, 0.5, 0.6, 0.7, 0.8, 0.9,
    1.0, 1.25, 1.5, 1.75, 2.0, 2.5, 3.0, 3.5, 4.0, 4.5, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0, 15.0, 20.0,
    25.0, 30.0, 40.0, 50.0, 60.0,
];

/// client-go's buckets for work queue durations, in seconds.
const QUEUE_BUCKETS: [f64; 12] = [
    1e-8, 1e-7, 1e-6, 1e-5, 1e-4, 1e-3, 0.01, 0.1, 1.0, 10.0, 100.0, 1000.0,
];

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct ControllerLabels {
    controller: String,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct ReconcileLabels {
    controller: String,
    result: &'static str,
}

/// controller-runtime names a queue after its controller, in both labels.
#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
pub(super) struct QueueLabels {
    name: String,
    controller: String,
}

impl QueueLabels {
    pub(super) fn new(controller: &str) -> Self {
        Self {
            name: controller.to_owned(),
            controller: controller.to_owned(),
        }
    }
}

/// Metric families of all controllers.
#[derive(Debug, Clone)]
pub(super) struct ControllerFamilies {
    reconciles: Family<ReconcileLabels, Counter>,
    errors: Family<ControllerLabels, Counter>,
    terminal_errors: Family<ControllerLabels, Counter>,
    panics: Family<ControllerLabels, Counter>,
    timeouts: Family<ControllerLabels, Counter>,
    mapper_panics: Family<ControllerLabels, Counter>,
    reconcile_time: Family<ControllerLabels, Histogram>,
    max_concurrent: Family<ControllerLabels, Gauge>,
    active_workers: Family<ControllerLabels, Gauge>,
    depth: Family<QueueLabels, Gauge>,
    adds: Family<QueueLabels, Counter>,
    retries: Family<QueueLabels, Counter>,
    queue_duration: Family<QueueLabels, Histogram>,
    work_duration: Family<QueueLabels, Histogram>,
    in_progress: InProgressByController,
}

impl ControllerFamilies {
    /// Returns the series of a controller, creating them if needed.
    pub(super) fn controller(&self, name: &str) -> Series {
        let reconciles = |result| {
            let labels = ReconcileLabels {
                controller: name.to_owned(),
                result,
            };
            self.reconciles.get_or_create_owned(&labels)
        };
        let controller = &ControllerLabels {
            controller: name.to_owned(),
        };
        let queue = &QueueLabels::new(name);
        Series {
            success: reconciles("success"),
            requeue_after: reconciles("requeue_after"),
            error: reconciles("error"),
            errors: self.errors.get_or_create_owned(controller),
            terminal_errors: self.terminal_errors.get_or_create_owned(controller),
            panics: self.panics.get_or_create_owned(controller),
            timeouts: self.timeouts.get_or_create_owned(controller),
            mapper_panics: self.mapper_panics.get_or_create_owned(controller),
            reconcile_time: self.reconcile_time.get_or_create_owned(controller),
            max_concurrent: self.max_concurrent.get_or_create_owned(controller),
            active_workers: self.active_workers.get_or_create_owned(controller),
            depth: self.depth.get_or_create_owned(queue),
            adds: self.adds.get_or_create_owned(queue),
            retries: self.retries.get_or_create_owned(queue),
            queue_duration: self.queue_duration.get_or_create_owned(queue),
            work_duration: self.work_duration.get_or_create_owned(queue),
            in_progress: self.in_progress.controller(name),
        }
    }

    /// Registers the metrics with controller-runtime's and client-go's help texts. The encoder appends `_total` to counters.
    pub(super) fn register(&self, registry: &mut Registry) {
        let runtime = registry.sub_registry_with_prefix("controller_runtime");
        let help = "Total number of reconciliations per controller";
        runtime.register("reconcile", help, self.reconciles.clone());
        let help = "Total number of reconciliation errors per controller";
        runtime.register("reconcile_errors", help, self.errors.clone());
        let (name, help) = (
            "terminal_reconcile_errors",
            "Total number of terminal reconciliation errors per controller",
        );
        runtime.register(name, help, self.terminal_errors.clone());
        let help = "Total number of reconciliation panics per controller";
        runtime.register("reconcile_panics", help, self.panics.clone());
        let help = "Total number of reconciliation timeouts per controller";
        runtime.register("reconcile_timeouts", help, self.timeouts.clone());
        let help = "Length of time per reconciliation per controller";
        runtime.register("reconcile_time_seconds", help, self.reconcile_time.clone());
        let (name, help) = (
            "max_concurrent_reconciles",
            "Maximum number of concurrent reconciles per controller",
        );
        runtime.register(name, help, self.max_concurrent.clone());
        let help = "Number of currently used workers per controller";
        runtime.register("active_workers", help, self.active_workers.clone());
        let help = "Total number of mapper panics per controller; the event is ignored";
        registry.register("kb_mapper_panics", help, self.mapper_panics.clone());

        let queue = registry.sub_registry_with_prefix("workqueue");
        queue.register("depth", "Current depth of workqueue", self.depth.clone());
        let help = "Total number of adds handled by workqueue";
        queue.register("adds", help, self.adds.clone());
        let help = "Total number of retries handled by workqueue";
        queue.register("retries", help, self.retries.clone());
        let help = "How long in seconds an item stays in workqueue before being requested";
        queue.register("queue_duration_seconds", help, self.queue_duration.clone());
        let help = "How long in seconds processing an item from workqueue takes";
        queue.register("work_duration_seconds", help, self.work_duration.clone());
        registry.register_collector(Box::new(self.in_progress.clone()));
    }
}

impl Default for ControllerFamilies {
    fn default() -> Self {
        let queue = || Histogram::new(QUEUE_BUCKETS);
        Self {
            reconciles: Family::default(),
            errors: Family::default(),
            terminal_errors: Family::default(),
            panics: Family::default(),
            timeouts: Family::default(),
            mapper_panics: Family::default(),
            reconcile_time: Family::new_with_constructor(|| Histogram::new(RECONCILE_BUCKETS)),
            max_concurrent: Family::default(),
            active_workers: Family::default(),
            depth: Family::default(),
            adds: Family::default(),
            retries: Family::default(),
            queue_duration: Family::new_with_constructor(queue),
            work_duration: Family::new_with_constructor(queue),
            in_progress: InProgressByController::default(),
        }
    }
}
