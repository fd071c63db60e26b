//! Calls the reconcile function once and handles its result.

use std::{panic::AssertUnwindSafe, sync::Arc, time::Duration};

use futures::FutureExt;
use kube::runtime::reflector::ObjectRef;
use tokio::time::{Instant, timeout};
use tracing::{Span, debug, error, error_span, warn};

use super::{Action, Error, RetryPolicy, error_reporter::ErrorReporter, finalizer::Finalizer};
use crate::{
    metrics::{ControllerMetrics, ReconcileResult},
    panics::message,
    store::{CachedResource, ObjectKey},
};

/// Delay until the next reconcile of an unchanged object.
#[derive(Debug, Clone, Copy)]
pub(super) enum Requeue {
    /// Requested by the reconciler.
    After(Duration),
    /// Backoff after a failure.
    Backoff(Duration),
}

/// Reconcile function of a controller and its settings, shared by the workers.
pub(super) struct Reconciler<K: CachedResource, Ctx, R> {
    pub(super) controller: Arc<str>,
    pub(super) reconcile: Arc<R>,
    pub(super) retry: Arc<RetryPolicy<K>>,
    pub(super) timeout: Duration,
    pub(super) finalizer: Option<Arc<Finalizer<K, Ctx>>>,
    pub(super) reporter: Option<Arc<dyn ErrorReporter<K>>>,
    pub(super) metrics: ControllerMetrics,
}

impl<K: CachedResource, Ctx, R> Reconciler<K, Ctx, R> {
    /// Returns the span for the log lines of one reconcile.
    pub(super) fn span(&self, name: &ObjectKey) -> Span {
        error_span!("reconcile", controller = %self.controller, kind = %K::kind(&()), object = %name)
    }

    /// Handles a queued object that no longer exists.
    pub(super) fn object_deleted(&self, name: &ObjectKey) {
        self.retry.forget_named(name);
        self.metrics.dropped();
    }

    /// Reconciles an object; updates metrics, log and backoff, and reports errors.
    pub(super) async fn run<F, E>(
        &self,
        name: &ObjectKey,
        object: Arc<K>,
        context: Arc<Ctx>,
    ) -> Option<Requeue>
    where
        R: Fn(Arc<K>, Arc<Ctx>) -> F,
        F: Future<Output = Result<Action, E>>,
        E: Into<Error>,
    {
        let start = Instant::now();
        let result = self.reconcile(Arc::clone(&object), context).await;
        let elapsed = start.elapsed();
        match result {
            Ok(action) => {
                self.retry.forget_named(name);
                let result = match action.requeue_after {
                    None => ReconcileResult::Success,
                    Some(_) => ReconcileResult::RequeueAfter,
                };
                self.metrics.finished(result, elapsed);
                action.requeue_after.map(Requeue::After)
            }
            Err(error) => {
                let requeue = self.failed(&name.reference(), &error, elapsed);
                let is_expected =
                    error.deferral().is_some() || error.is_conflict() || error.is_overload();
                if let Some(reporter) = self.reporter.as_ref().filter(|_| !is_expected) {
                    reporter.report(object, &error).await;
                }
                requeue
            }
        }
    }

    /// Calls the reconcile function, within the time limit. A panic is an error.
    async fn reconcile<F, E>(&self, object: Arc<K>, context: Arc<Ctx>) -> Result<Action, Error>
    where
        R: Fn(Arc<K>, Arc<Ctx>) -> F,
        F: Future<Output = Result<Action, E>>,
        E: Into<Error>,
    {
        let call = |object, context| async {
            // Called inside the future: the code before its first `await` may panic as well.
            (self.reconcile)(object, context).await.map_err(Into::into)
        };
        let reconcile = async {
            match &self.finalizer {
                Some(finalizer) => finalizer.reconcile(object, context, call).await,
                None => call(object, context).await,
            }
        };
        // Unwind safety: reconciling starts from the state of the cluster each time.
        match timeout(self.timeout, AssertUnwindSafe(reconcile).catch_unwind()).await {
            Ok(Ok(result)) => result,
            Ok(Err(panic)) => {
                self.metrics.panicked();
                let panic = message(&*panic);
                Err(Error::new(format!("reconcile panicked: {panic}")).with_reason("Panicked"))
            }
            Err(_elapsed) => {
                self.metrics.timed_out();
                let error = Error::new(format!("reconcile timed out after {:?}", self.timeout));
                Err(error.with_reason("TimedOut"))
            }
        }
    }

    fn failed(&self, key: &ObjectRef<K>, error: &Error, elapsed: Duration) -> Option<Requeue> {
        if error.is_terminal() {
            self.retry.forget(key);
            self.metrics
                .finished(ReconcileResult::TerminalError, elapsed);
            error!(%error, "terminal error, not retrying");
            return None;
        }
        if let Some(delay) = error.deferral() {
            self.metrics
                .finished(ReconcileResult::RequeueAfter, elapsed);
            debug!(%error, requeue_after = ?delay, "reconcile deferred");
            return Some(Requeue::After(delay));
        }
        let min_delay = error.retry_after().unwrap_or_default();
        let delay = self
            .retry
            .record_failure(key)
            .map(|delay| delay.max(min_delay));
        if let Some(delay) = delay {
            self.metrics.retried();
            warn!(%error, retry_in = ?delay, "reconcile failed");
        } else {
            error!(%error, "reconcile failed, retry limit reached");
        }
        self.metrics.finished(ReconcileResult::Error, elapsed);
        delay.map(Requeue::Backoff)
    }
}
