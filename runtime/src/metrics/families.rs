//! The metrics that all controllers share: names, labels and buckets, as controller-runtime has them.

use prometheus_client::{
    encoding::EncodeLabelSet,
    metrics::{counter::Counter, family::Family, gauge::Gauge, histogram::Histogram},
    registry::Registry,
};

use super::{controller::Series, in_progress::InProgressByController};

/// Upper bounds in seconds for a reconcile, as controller-runtime has them.
const RECONCILE_BUCKETS: [f64; 40] = [
    0.005, 0.01, 0.025, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4, 0.45, 0.5, 0.6, 0.7, 0.8, 0.9,
    1.0, 1.25, 1.5, 1.75, 2.0, 2.5, 3.0, 3.5, 4.0, 4.5, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0, 15.0, 20.0,
    25.0, 30.0, 40.0, 50.0, 60.0,
];

/// Upper bounds in seconds for the queue, as client-go has them.
const QUEUE_BUCKETS: [f64; 12] = [
    1e-8, 1e-7, 1e-6, 1e-5, 1e-4, 1e-3, 0.01, 0.1, 1.0, 10.0, 100.0, 1000.0,
];

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct Controller {
    controller: String,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct Reconcile {
    controller: String,
    result: &'static str,
}

/// controller-runtime gives a queue its controller's name, under both labels.
#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
pub(super) struct Queue {
    name: String,
    controller: String,
}

impl Queue {
    pub(super) fn of(controller: &str) -> Self {
        Self {
            name: controller.to_owned(),
            controller: controller.to_owned(),
        }
    }
}

/// The same metrics of all controllers.
#[derive(Debug, Clone)]
pub(super) struct ControllerFamilies {
    reconciles: Family<Reconcile, Counter>,
    errors: Family<Controller, Counter>,
    terminal_errors: Family<Controller, Counter>,
    panics: Family<Controller, Counter>,
    timeouts: Family<Controller, Counter>,
    mapper_panics: Family<Controller, Counter>,
    reconcile_time: Family<Controller, Histogram>,
    most_workers: Family<Controller, Gauge>,
    active_workers: Family<Controller, Gauge>,
    depth: Family<Queue, Gauge>,
    adds: Family<Queue, Counter>,
    retries: Family<Queue, Counter>,
    queue_duration: Family<Queue, Histogram>,
    work_duration: Family<Queue, Histogram>,
    in_progress: InProgressByController,
}

impl ControllerFamilies {
    /// The series of a controller, made if they are not there.
    pub(super) fn controller(&self, name: &str) -> Series {
        let reconciles = |result| {
            let labels = Reconcile {
                controller: name.to_owned(),
                result,
            };
            self.reconciles.get_or_create_owned(&labels)
        };
        let controller = &Controller {
            controller: name.to_owned(),
        };
        let queue = &Queue::of(name);
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
            most_workers: self.most_workers.get_or_create_owned(controller),
            active_workers: self.active_workers.get_or_create_owned(controller),
            depth: self.depth.get_or_create_owned(queue),
            adds: self.adds.get_or_create_owned(queue),
            retries: self.retries.get_or_create_owned(queue),
            queue_duration: self.queue_duration.get_or_create_owned(queue),
            work_duration: self.work_duration.get_or_create_owned(queue),
            in_progress: self.in_progress.controller(name),
        }
    }

    /// Names without `_total`: the text adds it to every counter.
    pub(super) fn register(&self, registry: &mut Registry) {
        let reconciles = registry.sub_registry_with_prefix("controller_runtime");
        reconciles.register(
            "reconcile",
            "Reconciles, by how they ended",
            self.reconciles.clone(),
        );
        reconciles.register(
            "reconcile_errors",
            "Reconciles that failed",
            self.errors.clone(),
        );
        let help = "Reconciles that failed and are not tried again";
        reconciles.register(
            "terminal_reconcile_errors",
            help,
            self.terminal_errors.clone(),
        );
        reconciles.register(
            "reconcile_panics",
            "Reconciles that panicked",
            self.panics.clone(),
        );
        reconciles.register(
            "reconcile_timeouts",
            "Reconciles that were cancelled because they took too long",
            self.timeouts.clone(),
        );
        reconciles.register(
            "reconcile_time_seconds",
            "How long reconciles took",
            self.reconcile_time.clone(),
        );
        let help = "How many objects may be reconciled at once";
        reconciles.register("max_concurrent_reconciles", help, self.most_workers.clone());
        let help = "How many objects are being reconciled";
        reconciles.register("active_workers", help, self.active_workers.clone());
        let help = "Panics of mappers; the change they were called for is ignored";
        registry.register("kb_mapper_panics", help, self.mapper_panics.clone());

        let queue = registry.sub_registry_with_prefix("workqueue");
        queue.register(
            "depth",
            "Objects that wait for a worker",
            self.depth.clone(),
        );
        queue.register("adds", "Objects that were queued", self.adds.clone());
        queue.register(
            "retries",
            "Objects that were queued again after an error",
            self.retries.clone(),
        );
        queue.register(
            "queue_duration_seconds",
            "How long objects waited for a worker",
            self.queue_duration.clone(),
        );
        queue.register(
            "work_duration_seconds",
            "How long workers were busy with an object",
            self.work_duration.clone(),
        );
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
            most_workers: Family::default(),
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
