//! Runs a controller: waits until it may, then lets kube's `applier` work until it is to stop.

use std::{convert::Infallible, pin::pin, sync::Arc};

use futures::{Stream, StreamExt, future::join_all, stream};
use kube::runtime::{
    Config, applier,
    controller::{Action, Error as ApplierError, ReconcileRequest},
    reflector::ObjectRef,
    utils::CancelableJoinHandle,
};
use tokio::{runtime::Handle, select};
use tokio_util::sync::CancellationToken;
use tracing::{Instrument, error, warn};

use super::{
    Around, Controller, Error, Retry,
    around::turned,
    attempt::{Attempts, Failed},
    related::itself,
    waiting::Waiting,
};
use crate::store::Kind;

pub(super) async fn run<K, Ctx, R, F, E>(
    mut controller: Controller<K>,
    reconcile: R,
    context: Arc<Ctx>,
    around: Around,
) where
    K: Kind,
    Ctx: Send + Sync + 'static,
    R: Fn(Arc<K>, Arc<Ctx>) -> F + Send + Sync + 'static,
    F: Future<Output = Result<Action, E>> + Send + 'static,
    E: Into<Error> + Send + 'static,
{
    let reconcile = Arc::new(reconcile);
    let retry = Arc::new(std::mem::take(&mut controller.retry));
    let mut leading = around.leading.clone();
    let mut filled = around.ready.clone();
    around.metrics.workers(controller.workers.into());
    loop {
        let ready = async {
            controller.synced().await;
            turned(&mut filled, true).await;
            turned(&mut leading, true).await;
        };
        select! {
            biased;
            () = around.shutdown.cancelled() => return,
            () = ready => {}
        }
        let attempts = Attempts {
            controller: Arc::clone(&controller.name),
            reconcile: Arc::clone(&reconcile),
            retry: Arc::clone(&retry),
            waiting: Waiting::new(around.metrics.clone()),
            metrics: around.metrics.clone(),
        };
        let work = controller.work(attempts, Arc::clone(&context), &around.shutdown);
        select! {
            biased;
            () = turned(&mut leading, false) => {
                warn!(controller = %controller.name, "this replica no longer leads: what is under way is aborted");
            }
            () = work => return,
        }
    }
}

impl<K: Kind> Controller<K> {
    /// Waits until every object that leads to a reconcile is known.
    async fn synced(&self) {
        self.store.synced().await;
        join_all(self.related.iter().map(|related| related.synced())).await;
    }

    /// What is to be reconciled.
    ///
    /// It is asked for only when the work begins: a standby needs no queue, because all objects are queued when it begins to lead. That
    /// makes it needless to queue them once more for each related object that is there.
    fn requests(
        &self,
        retry: &Arc<Retry<K>>,
    ) -> impl Stream<Item = ReconcileRequest<K>> + Send + use<K> {
        let related = self
            .related
            .iter()
            .map(|related| related.requests(&self.store));
        // The last ones, so that no change of others is missed in between.
        let itself = std::iter::once_with(|| itself(&self.store, Arc::clone(retry)));
        stream::select_all(related.chain(itself))
    }

    /// Reconciles until the end is asked for and all that was under way is done.
    async fn work<Ctx, R, F, E>(
        &self,
        attempts: Attempts<K, R>,
        context: Arc<Ctx>,
        shutdown: &CancellationToken,
    ) where
        Ctx: Send + Sync + 'static,
        R: Fn(Arc<K>, Arc<Ctx>) -> F + Send + Sync + 'static,
        F: Future<Output = Result<Action, E>> + Send + 'static,
        E: Into<Error> + Send + 'static,
    {
        let attempts = Arc::new(attempts);
        let queue = self.requests(&attempts.retry).map(|request| {
            attempts.waiting.queued(&request.obj_ref);
            Ok::<_, Infallible>(request)
        });
        let start = |object: Arc<K>, context| {
            let key = ObjectRef::from_obj(&*object);
            attempts.waiting.started(&key);
            let span = attempts.span(&key);
            let attempt = Arc::clone(&attempts).run(key, object, context);
            CancelableJoinHandle::spawn(attempt.instrument(span), &Handle::current())
        };
        let ended = applier(
            start,
            |_, failed: &Failed, _| failed.action(),
            context,
            self.store.reader(),
            queue.take_until(shutdown.cancelled()),
            Config::default().concurrency(self.workers),
        );
        let mut ended = pin!(ended);
        while let Some(ended) = ended.next().await {
            match ended {
                // Attempts have spoken for themselves.
                Ok(_) | Err(ApplierError::ReconcilerFailed(..)) => {}
                Err(ApplierError::ObjectNotFound(gone)) => {
                    attempts.gone(&gone.into_kind_unchecked(()));
                }
                Err(ApplierError::QueueError(impossible)) => match impossible {},
                Err(ApplierError::RunnerError(error)) => {
                    error!(controller = %self.name, %error, "the controller stops");
                }
            }
        }
    }
}
