//! Runs a controller: waits for caches and leadership, then for its workers.

use std::{panic::resume_unwind, pin::pin, sync::Arc, time::Duration};

use futures::{
    Stream, StreamExt,
    future::{join, join_all},
    stream,
};
use tokio::{select, task::JoinSet};
use tokio_util::sync::CancellationToken;
use tracing::{Instrument, info, warn};

use super::{
    Action, Controller, Error, RunOptions,
    fair_queue::Priority,
    reconciler::{Reconciler, Requeue},
    source::own_requests,
    work_queue::{Item, WorkQueue},
};
use crate::{
    leader::Leadership,
    store::{CachedResource, ObjectKey, Store, wait_until_synced},
};

pub(super) async fn run<K, Ctx, R, F, E>(
    mut controller: Controller<K, Ctx>,
    reconcile: R,
    context: Arc<Ctx>,
    mut options: RunOptions,
) where
    K: CachedResource,
    Ctx: Send + Sync + 'static,
    R: Fn(Arc<K>, Arc<Ctx>) -> F + Send + Sync + 'static,
    F: Future<Output = Result<Action, E>> + Send + 'static,
    E: Into<Error> + Send + 'static,
{
    let reconcile = Arc::new(reconcile);
    let retry = Arc::new(std::mem::take(&mut controller.retry));
    let shutdown = options.shutdown.clone();
    options
        .metrics
        .set_max_concurrent_reconciles(controller.concurrency);
    loop {
        let can_start = async {
            controller.wait_until_synced().await;
            options.ready_to_start().await;
        };
        select! {
            biased;
            () = shutdown.cancelled() => return,
            () = can_start => {}
        }
        let reconciler = Reconciler {
            controller: Arc::clone(&controller.name),
            reconcile: Arc::clone(&reconcile),
            retry: Arc::clone(&retry),
            timeout: controller.timeout,
            finalizer: controller.finalizer.clone(),
            reporter: controller.reporter.clone(),
            metrics: options.metrics.clone(),
        };
        let worker = Worker {
            reconciler,
            context: Arc::clone(&context),
            leadership: options.leadership.clone(),
            store: controller.store.clone(),
            queue: WorkQueue::new(options.metrics.clone()),
        };
        info!(controller = %controller.name, worker_count = controller.concurrency, "starting workers");
        let work = controller.work(worker, &shutdown);
        select! {
            biased;
            () = options.leadership.lost() => {
                warn!(controller = %controller.name, "leader election lost, aborting running reconciles");
            }
            () = work => return,
        }
    }
}

impl<K: CachedResource, Ctx: Send + Sync + 'static> Controller<K, Ctx> {
    /// Waits until the declared stores are synced.
    async fn wait_until_synced(&self) {
        join_all(self.sync_states().map(wait_until_synced)).await;
    }

    /// Returns the stream of reconcile requests.
    ///
    /// It is created when the work begins. A standby needs no queue: all objects are queued once it leads, so existing objects of the other
    /// sources need not be mapped.
    fn requests<R>(
        &self,
        reconciler: &Reconciler<K, Ctx, R>,
    ) -> impl Stream<Item = (ObjectKey, Priority)> + Send + use<K, Ctx, R> {
        let Reconciler { retry, metrics, .. } = reconciler;
        let sources = self
            .sources
            .iter()
            .map(|source| source.requests(&self.store, metrics));
        // Subscribed last, so that no change of a related object is missed in between.
        let own = std::iter::once_with(|| own_requests(&self.store, Arc::clone(retry)));
        stream::select_all(sources.chain(own))
    }

    /// Reconciles until shutdown, then waits for the running reconciles.
    async fn work<R, F, E>(&self, worker: Worker<K, Ctx, R>, shutdown: &CancellationToken)
    where
        R: Fn(Arc<K>, Arc<Ctx>) -> F + Send + Sync + 'static,
        F: Future<Output = Result<Action, E>> + Send + 'static,
        E: Into<Error> + Send + 'static,
    {
        let mut requests = pin!(self.requests(&worker.reconciler));
        let worker = Arc::new(worker);
        // Dropping the set aborts the workers.
        let mut workers = JoinSet::new();
        for _ in 0..self.concurrency {
            workers.spawn(Arc::clone(&worker).run(shutdown.clone()));
        }
        let enqueue = async {
            while let Some((name, priority)) = requests.next().await {
                worker.queue.add(name, priority);
            }
        };
        select! {
            biased;
            () = shutdown.cancelled() => {}
            // Never completes.
            _ = join(enqueue, worker.queue.run_timer()) => {}
            () = join_workers(&mut workers) => {}
        }
        join_workers(&mut workers).await;
    }
}

/// Waits for all workers. Propagates a panic outside of the reconcile function, which would otherwise silently reduce the concurrency.
async fn join_workers(workers: &mut JoinSet<()>) {
    while let Some(result) = workers.join_next().await {
        if let Err(error) = result
            && let Ok(panic) = error.try_into_panic()
        {
            resume_unwind(panic);
        }
    }
}

/// State shared by the workers of a controller.
struct Worker<K: CachedResource, Ctx, R> {
    reconciler: Reconciler<K, Ctx, R>,
    context: Arc<Ctx>,
    leadership: Leadership,
    store: Store<K>,
    queue: WorkQueue,
}

impl<K: CachedResource, Ctx, R> Worker<K, Ctx, R> {
    /// Reconciles queued objects until shutdown.
    async fn run<F, E>(self: Arc<Self>, shutdown: CancellationToken)
    where
        R: Fn(Arc<K>, Arc<Ctx>) -> F,
        F: Future<Output = Result<Action, E>>,
        E: Into<Error>,
    {
        loop {
            let Item {
                name,
                priority,
                waited,
            } = select! {
                biased;
                () = shutdown.cancelled() => return,
                next = self.queue.next() => next,
            };
            let requeue = self.reconcile(&name, waited).await;
            self.queue.done(name.clone());
            match requeue {
                Some(Requeue::After(delay)) => self.queue.add_after(name, Priority::Low, delay),
                // A retry keeps the priority of its request.
                Some(Requeue::Backoff(delay)) => self.queue.add_after(name, priority, delay),
                None => {}
            }
        }
    }

    async fn reconcile<F, E>(&self, name: &ObjectKey, waited: Duration) -> Option<Requeue>
    where
        R: Fn(Arc<K>, Arc<Ctx>) -> F,
        F: Future<Output = Result<Action, E>>,
        E: Into<Error>,
    {
        let Some(object) = self.store.get_by_key(name) else {
            self.reconciler.object_deleted(name);
            return None;
        };
        let _in_flight = self.reconciler.metrics.started(waited);
        let reconcile = self.reconciler.run(name, object, Arc::clone(&self.context));
        let reconcile = reconcile.instrument(self.reconciler.span(name));
        self.leadership.run_while_leading(reconcile).await
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn propagates_the_panic_of_a_worker_while_others_run() {
        let mut workers = JoinSet::new();
        workers.spawn(std::future::pending());
        workers.spawn(async { panic!("outside of the reconcile function") });
        let joined = tokio::spawn(async move { join_workers(&mut workers).await }).await;
        assert!(joined.unwrap_err().is_panic());
    }
}
