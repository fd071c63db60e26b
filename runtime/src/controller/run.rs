//! Runs a controller: waits until it may, then lets its workers reconcile until they are to stop.

use std::{panic::resume_unwind, pin::pin, sync::Arc, time::Duration};

use futures::{
    Stream, StreamExt,
    future::{join, join_all},
    stream,
};
use tokio::{select, task::JoinSet};
use tokio_util::sync::CancellationToken;
use tracing::{Instrument, warn};

use super::{
    Action, Around, Controller, Error,
    attempt::{Again, Attempts},
    lanes::Lane,
    queue::{Queue, Taken},
    related::itself,
};
use crate::{
    leader::Leadership,
    store::{CachedResource, ObjectKey, Store, wait_until_synced},
};

pub(super) async fn run<K, Ctx, R, F, E>(
    mut controller: Controller<K>,
    reconcile: R,
    context: Arc<Ctx>,
    mut around: Around,
) where
    K: CachedResource,
    Ctx: Send + Sync + 'static,
    R: Fn(Arc<K>, Arc<Ctx>) -> F + Send + Sync + 'static,
    F: Future<Output = Result<Action, E>> + Send + 'static,
    E: Into<Error> + Send + 'static,
{
    let reconcile = Arc::new(reconcile);
    let retry = Arc::new(std::mem::take(&mut controller.retry));
    let shutdown = around.shutdown.clone();
    around.metrics.workers(controller.workers.into());
    loop {
        let begin = async {
            controller.wait_until_synced().await;
            around.until_allowed().await;
        };
        select! {
            biased;
            () = shutdown.cancelled() => return,
            () = begin => {}
        }
        let attempts = Attempts {
            controller: Arc::clone(&controller.name),
            reconcile: Arc::clone(&reconcile),
            retry: Arc::clone(&retry),
            timeout: controller.timeout,
            metrics: around.metrics.clone(),
        };
        let worker = Worker {
            attempts,
            context: Arc::clone(&context),
            leadership: around.leadership.clone(),
            store: controller.store.clone(),
            queue: Queue::new(around.metrics.clone()),
        };
        let work = controller.work(worker, &shutdown);
        select! {
            biased;
            () = around.leadership.lost() => {
                warn!(controller = %controller.name, "this replica no longer leads: what is under way is aborted");
            }
            () = work => return,
        }
    }
}

impl<K: CachedResource> Controller<K> {
    /// Waits until every object that leads to a reconcile is known.
    async fn wait_until_synced(&self) {
        join_all(self.sync_states().map(wait_until_synced)).await;
    }

    /// What is to be reconciled.
    ///
    /// It is asked for only when the work begins: a standby needs no queue, because all objects are queued when it begins to lead. That
    /// makes it needless to queue them once more for each related object that is there.
    fn requests<R>(
        &self,
        attempts: &Attempts<K, R>,
    ) -> impl Stream<Item = (ObjectKey, Lane)> + Send + use<K, R> {
        let Attempts { retry, metrics, .. } = attempts;
        let related = self
            .related
            .iter()
            .map(|related| related.requests(&self.store, metrics));
        // The last ones, so that no change of others is missed in between.
        let itself = std::iter::once_with(|| itself(&self.store, Arc::clone(retry)));
        stream::select_all(related.chain(itself))
    }

    /// Reconciles until the end is asked for and all that was under way is done.
    async fn work<Ctx, R, F, E>(&self, worker: Worker<K, Ctx, R>, shutdown: &CancellationToken)
    where
        Ctx: Send + Sync + 'static,
        R: Fn(Arc<K>, Arc<Ctx>) -> F + Send + Sync + 'static,
        F: Future<Output = Result<Action, E>> + Send + 'static,
        E: Into<Error> + Send + 'static,
    {
        let mut requests = pin!(self.requests(&worker.attempts));
        let worker = Arc::new(worker);
        // They are aborted when this is dropped.
        let mut workers = JoinSet::new();
        for _ in 0..self.workers {
            workers.spawn(Arc::clone(&worker).run(shutdown.clone()));
        }
        let feed = async {
            while let Some((name, lane)) = requests.next().await {
                worker.queue.add(name, lane);
            }
        };
        select! {
            biased;
            () = shutdown.cancelled() => {}
            // It does not end.
            _ = join(feed, worker.queue.keep_time()) => {}
            () = ended(&mut workers) => {}
        }
        ended(&mut workers).await;
    }
}

/// Waits until all workers have ended. What panics outside of an attempt is passed on: a worker that is gone would never be missed.
async fn ended(workers: &mut JoinSet<()>) {
    while let Some(ended) = workers.join_next().await {
        if let Err(error) = ended
            && let Ok(panic) = error.try_into_panic()
        {
            resume_unwind(panic);
        }
    }
}

/// What the workers of a controller share.
struct Worker<K: CachedResource, Ctx, R> {
    attempts: Attempts<K, R>,
    context: Arc<Ctx>,
    leadership: Leadership,
    store: Store<K>,
    queue: Queue,
}

impl<K: CachedResource, Ctx, R> Worker<K, Ctx, R> {
    /// Reconciles one object after another, until the end is asked for.
    async fn run<F, E>(self: Arc<Self>, shutdown: CancellationToken)
    where
        R: Fn(Arc<K>, Arc<Ctx>) -> F,
        F: Future<Output = Result<Action, E>>,
        E: Into<Error>,
    {
        loop {
            let Taken { name, lane, waited } = select! {
                biased;
                () = shutdown.cancelled() => return,
                next = self.queue.next() => next,
            };
            let again = self.reconcile(&name, waited).await;
            self.queue.done(name.clone());
            match again {
                Some(Again::Due(delay)) => self.queue.add_after(name, Lane::Routine, delay),
                // As urgent as it was.
                Some(Again::Retry(delay)) => self.queue.add_after(name, lane, delay),
                None => {}
            }
        }
    }

    async fn reconcile<F, E>(&self, name: &ObjectKey, waited: Duration) -> Option<Again>
    where
        R: Fn(Arc<K>, Arc<Ctx>) -> F,
        F: Future<Output = Result<Action, E>>,
        E: Into<Error>,
    {
        let Some(object) = self.store.find(name) else {
            self.attempts.gone(name);
            return None;
        };
        let _in_flight = self.attempts.metrics.started(waited);
        let attempt = self.attempts.run(name, object, Arc::clone(&self.context));
        let attempt = attempt.instrument(self.attempts.span(name));
        self.leadership.hold_for(attempt).await
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_worker_that_panics_is_missed_while_others_work() {
        let mut workers = JoinSet::new();
        workers.spawn(std::future::pending());
        workers.spawn(async { panic!("outside of an attempt") });
        let missed = tokio::spawn(async move { ended(&mut workers).await }).await;
        assert!(missed.unwrap_err().is_panic());
    }
}
