//! One call of reconcile, and what follows from how it ends.

use std::{panic::AssertUnwindSafe, sync::Arc, time::Duration};

use futures::FutureExt;
use kube::runtime::reflector::ObjectRef;
use tokio::time::{Instant, timeout};
use tracing::{Span, debug, error, error_span, warn};

use super::{Action, Error, Retry};
use crate::{
    metrics::{ControllerMetrics, Outcome},
    panics::message,
    store::{CachedResource, ObjectKey},
};

/// When an object is looked at again, if nothing changes.
#[derive(Debug, Clone, Copy)]
pub(super) enum Again {
    /// It is done, and asked for that.
    Due(Duration),
    /// It failed.
    Retry(Duration),
}

/// What all attempts of a controller share.
pub(super) struct Attempts<K: CachedResource, R> {
    pub(super) controller: Arc<str>,
    pub(super) reconcile: Arc<R>,
    pub(super) retry: Arc<Retry<K>>,
    pub(super) timeout: Duration,
    pub(super) metrics: ControllerMetrics,
}

impl<K: CachedResource, R> Attempts<K, R> {
    /// The span that all log lines of an attempt are in.
    pub(super) fn span(&self, name: &ObjectKey) -> Span {
        error_span!("reconcile", controller = %self.controller, kind = %K::kind(&()), object = %name)
    }

    /// There is nothing to attempt: the object is gone.
    pub(super) fn gone(&self, name: &ObjectKey) {
        self.retry.forget_named(name);
        self.metrics.dropped();
    }

    /// Reconciles an object, and tells metrics, log and backoff how it went.
    pub(super) async fn run<Ctx, F, E>(
        &self,
        name: &ObjectKey,
        object: Arc<K>,
        context: Arc<Ctx>,
    ) -> Option<Again>
    where
        R: Fn(Arc<K>, Arc<Ctx>) -> F,
        F: Future<Output = Result<Action, E>>,
        E: Into<Error>,
    {
        let start = Instant::now();
        // The function is called inside as well: what it does before its first `await` may panic too.
        let reconcile = async { (self.reconcile)(object, context).await };
        // What a panic left half done is the reconciler's own: it starts from the cluster's state each time.
        let ended = timeout(self.timeout, AssertUnwindSafe(reconcile).catch_unwind()).await;
        let took = start.elapsed();
        match ended {
            Ok(Ok(Ok(action))) => {
                self.retry.forget_named(name);
                let outcome = match action.again_in {
                    None => Outcome::Success,
                    Some(_) => Outcome::RequeueAfter,
                };
                self.metrics.ended(outcome, took);
                action.again_in.map(Again::Due)
            }
            Ok(Ok(Err(error))) => self.failed(&name.reference(), &error.into(), took),
            Ok(Err(panic)) => {
                self.metrics.panicked();
                let error = Error::new(format!("reconcile panicked: {}", message(&*panic)));
                self.failed(&name.reference(), &error, took)
            }
            Err(_elapsed) => {
                self.metrics.timed_out();
                let error = Error::new(format!("reconcile timed out after {:?}", self.timeout));
                self.failed(&name.reference(), &error, took)
            }
        }
    }

    fn failed(&self, key: &ObjectRef<K>, error: &Error, took: Duration) -> Option<Again> {
        if error.is_terminal() {
            self.retry.forget(key);
            self.metrics.ended(Outcome::TerminalError, took);
            error!(%error, "it failed for good, and is left alone until the object changes");
            return None;
        }
        if let Some(delay) = error.deferral() {
            self.metrics.ended(Outcome::RequeueAfter, took);
            debug!(%error, requeue_after = ?delay, "reconcile deferred");
            return Some(Again::Due(delay));
        }
        let least = error.retry_after().unwrap_or_default();
        let again_in = self.retry.failed(key).map(|delay| delay.max(least));
        if let Some(delay) = again_in {
            self.metrics.retried();
            warn!(%error, retry_in = ?delay, "it failed, and is tried again");
        } else {
            error!(%error, "it failed too often, and is left alone until the object changes");
        }
        self.metrics.ended(Outcome::Error, took);
        again_in.map(Again::Retry)
    }
}
