//! Which objects wait for a worker, for the metrics of the queue.
//!
//! kube's scheduler does not say what it holds. So what goes in and what comes out is counted beside it.

use std::{
    collections::HashMap,
    sync::{Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use kube::runtime::reflector::ObjectRef;
use tokio::time::Instant;

use crate::{metrics::ControllerMetrics, store::Kind};

/// The objects that wait. When it is dropped, those that still do are counted as dropped.
pub(super) struct Waiting<K: Kind> {
    since: Mutex<HashMap<ObjectRef<K>, Instant>>,
    metrics: ControllerMetrics,
}

impl<K: Kind> Waiting<K> {
    pub(super) fn new(metrics: ControllerMetrics) -> Self {
        Self {
            since: Mutex::default(),
            metrics,
        }
    }

    /// An object is to be reconciled. It may be waiting already.
    pub(super) fn queued(&self, object: &ObjectRef<K>) {
        let mut since = self.since();
        if !since.contains_key(object) {
            since.insert(object.clone(), Instant::now());
            self.metrics.queued();
        }
    }

    /// A worker takes an object. One that did not wait here comes from a delay of its own, which is no time in the queue.
    pub(super) fn started(&self, object: &ObjectRef<K>) {
        let since = self.since().remove(object);
        if since.is_none() {
            self.metrics.queued();
        }
        self.metrics
            .started(since.map_or(Duration::ZERO, |since| since.elapsed()));
    }

    /// An object that may have waited is gone.
    pub(super) fn gone(&self, object: &ObjectRef<K>) {
        if self.since().remove(object).is_some() {
            self.metrics.dropped();
        }
    }

    fn since(&self) -> MutexGuard<'_, HashMap<ObjectRef<K>, Instant>> {
        self.since.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<K: Kind> Drop for Waiting<K> {
    fn drop(&mut self) {
        for _ in self.since().drain() {
            self.metrics.dropped();
        }
    }
}
