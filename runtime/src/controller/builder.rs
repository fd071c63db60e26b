//! Configuration of a controller: its store, sources and limits.

use std::{fmt, sync::Arc, time::Duration};

use kube::runtime::reflector::ObjectRef;
use serde::Serialize;

use super::{
    Action, Cleanup, Error, RetryPolicy, RunOptions,
    error_reporter::{ApiReporter, ErrorReporter},
    finalizer::Finalizer,
    run,
    source::{MappedSource, Source, owners_of_kind},
};
use crate::{
    objects::{EventRecorder, Objects},
    store::{CachedResource, Store, SyncStates},
};

/// The default of [`Controller::timeout`].
const TIMEOUT: Duration = Duration::from_secs(300);

/// Reconciles the objects of a store; see the [module](super). `Ctx` is the context of the reconciler.
pub struct Controller<K: CachedResource, Ctx = ()> {
    pub(super) name: Arc<str>,
    pub(super) store: Store<K>,
    pub(super) sources: Vec<Box<dyn Source<K>>>,
    pub(super) concurrency: u16,
    pub(super) retry: RetryPolicy<K>,
    pub(super) timeout: Duration,
    pub(super) finalizer: Option<Arc<Finalizer<K, Ctx>>>,
    pub(super) reporter: Option<Arc<dyn ErrorReporter<K>>>,
}

impl<K: CachedResource, Ctx: Send + Sync + 'static> Controller<K, Ctx> {
    /// Creates a controller for all objects of `store`. `name` identifies it in logs and metrics.
    pub fn new(name: impl Into<Arc<str>>, store: &Store<K>) -> Self {
        Self {
            name: name.into(),
            store: store.clone(),
            sources: Vec::new(),
            concurrency: 8,
            retry: RetryPolicy::default(),
            timeout: TIMEOUT,
            finalizer: None,
            reporter: None,
        }
    }

    /// Returns the controller name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Reconciles the owner when an object of `store` is created, updated or deleted: each object of this controller's kind named by
    /// its owner references, whether or not it is the controlling owner.
    #[must_use]
    pub fn owns<C: CachedResource>(self, store: &Store<C>) -> Self {
        self.add_source(store, owners_of_kind)
    }

    /// Reconciles the objects that `mapper` returns when an object of `store` is created, updated or deleted.
    ///
    /// After an update, `mapper` is called for both the new and the previous version, so that objects which are no longer referenced are
    /// reconciled too. A panic in `mapper` is logged, counted in `kb_mapper_panics_total`, and the event is ignored.
    #[must_use]
    pub fn watches<O: CachedResource, I>(
        self,
        store: &Store<O>,
        mapper: impl Fn(&O) -> I + Send + Sync + 'static,
    ) -> Self
    where
        I: IntoIterator<Item = ObjectRef<K>>,
    {
        self.add_source(store, move |object: &O| {
            mapper(object).into_iter().collect()
        })
    }

    /// Declares a store that the reconciler reads. Its changes trigger nothing.
    ///
    /// A controller starts once every declared store is synced, whether by [`new`](Self::new), [`owns`](Self::owns),
    /// [`watches`](Self::watches) or this method. In a manager it also waits for all other stores, except those that only other controllers
    /// declare and that cannot be listed because the CRD is not installed or the role lacks `list`. If a kind may be missing, declare its
    /// store for every controller that reads it; otherwise the reconciler may find it empty.
    #[must_use]
    pub fn reads<O: CachedResource>(mut self, store: &Store<O>) -> Self {
        self.sources.push(Box::new(store.clone()));
        self
    }

    /// Returns the sync states of the declared stores.
    pub(crate) fn sync_states(&self) -> impl Iterator<Item = SyncStates> {
        let sources = self.sources.iter().map(|sources| sources.sync_states());
        std::iter::once(self.store.sync_states()).chain(sources)
    }

    fn add_source<O: CachedResource>(
        mut self,
        store: &Store<O>,
        mapper: impl Fn(&O) -> Vec<ObjectRef<K>> + Send + Sync + 'static,
    ) -> Self {
        self.sources.push(Box::new(MappedSource {
            controller: Arc::clone(&self.name),
            store: store.clone(),
            mapper: Arc::new(mapper),
        }));
        self
    }

    /// Sets how many objects are reconciled concurrently: 8 by default, at least 1.
    #[must_use]
    pub fn concurrency(self, limit: u16) -> Self {
        Self {
            concurrency: limit.max(1),
            ..self
        }
    }

    /// Sets the retry policy for failed reconciles.
    #[must_use]
    pub fn retry(self, retry: RetryPolicy<K>) -> Self {
        Self { retry, ..self }
    }

    /// Limits the duration of a reconcile, 5 minutes by default.
    ///
    /// A reconcile that exceeds it is canceled at its current `await`, counts as failed and is retried, so a hanging reconcile does not
    /// block its worker forever. `Duration::MAX` disables the timeout.
    ///
    /// ```
    /// use std::time::Duration;
    ///
    /// use kb::controller::Controller;
    /// use kb::k8s_openapi::api::core::v1::ConfigMap;
    /// use kb::store::Store;
    ///
    /// let config_maps = Store::<ConfigMap>::default();
    /// let controller: Controller<_> = Controller::new("configmap", &config_maps).timeout(Duration::from_secs(30));
    /// # drop(controller);
    /// ```
    #[must_use]
    pub fn timeout(self, timeout: Duration) -> Self {
        Self { timeout, ..self }
    }

    /// Calls `cleanup` before an object is deleted, for everything that Kubernetes does not garbage-collect.
    ///
    /// The finalizer `name`, such as `example.com/account`, is added before the first reconcile and removed when `cleanup` returns
    /// [`Cleanup::Done`]. `reconcile` is not called for objects that are being deleted. `cleanup` must be idempotent: errors are retried
    /// like those of `reconcile`, and it is called again if the process ends before the finalizer is removed. A controller has at most one
    /// finalizer; other controllers of the kind may have their own.
    ///
    /// Requires the verb `patch` on the kind.
    ///
    /// ```no_run
    /// use std::sync::Arc;
    ///
    /// use kb::Manager;
    /// use kb::controller::{Action, Cleanup, Controller, Error};
    /// use kb::k8s_openapi::api::core::v1::ConfigMap;
    ///
    /// struct Context;
    ///
    /// fn register(manager: &Manager) {
    ///     let controller = Controller::new("configmap", &manager.store::<ConfigMap>())
    ///         .finalizer("example.com/account", manager.objects(), cleanup);
    ///     manager.add_controller(controller, reconcile, Context);
    /// }
    ///
    /// async fn reconcile(_config_map: Arc<ConfigMap>, _context: Arc<Context>) -> Result<Action, Error> {
    ///     // Create the account, unless it exists.
    ///     Ok(Action::await_change())
    /// }
    ///
    /// async fn cleanup(_config_map: Arc<ConfigMap>, _context: Arc<Context>) -> Result<Cleanup, Error> {
    ///     // Delete the account. It is no error if it does not exist.
    ///     Ok(Cleanup::Done)
    /// }
    /// ```
    #[must_use]
    pub fn finalizer<F, E>(
        self,
        name: impl Into<String>,
        objects: Objects,
        cleanup: impl Fn(Arc<K>, Arc<Ctx>) -> F + Send + Sync + 'static,
    ) -> Self
    where
        F: Future<Output = Result<Cleanup, E>> + Send + 'static,
        E: Into<Error> + Send + 'static,
    {
        let finalizer = Finalizer::new(name.into(), objects, cleanup);
        Self {
            finalizer: Some(Arc::new(finalizer)),
            ..self
        }
    }

    /// Reports the errors of reconciles in the status of the object and as events.
    ///
    /// A failed reconcile sets the condition `Ready` to false, with the reason of the error ([`Error::with_reason`]) and its message, and
    /// `status.observedGeneration`, as far as the status has these fields. It publishes a warning event; equal ones are combined to a series.
    /// A terminal error also sets the condition `Stalled`, by which kstatus (Flux, Helm, `kubectl wait`) recognizes a failure. When the
    /// reconciler sets `Ready`, it must remove `Stalled`, as [`Readiness::set_on`](crate::objects::Readiness::set_on) does. No request is sent if the status is unchanged. Conflicts, deferred
    /// writes and an overloaded API server are not reported.
    ///
    /// Requires the verb `patch` on `<plural>/status`, and `create` and `patch` on `events` in the group `events.k8s.io`.
    ///
    /// # Panics
    ///
    /// Panics outside of a tokio runtime.
    #[must_use]
    pub fn report_errors(self, objects: Objects) -> Self
    where
        K: Serialize,
    {
        let recorder = EventRecorder::new(objects.client().clone(), &self.name);
        Self {
            reporter: Some(Arc::new(ApiReporter { objects, recorder })),
            ..self
        }
    }

    /// Runs the controller until `options.shutdown` is canceled. It starts once its stores are synced and this replica leads.
    ///
    /// On shutdown the queue is dropped and running reconciles finish. Dropping the future aborts them.
    pub fn run<R, F, E>(
        self,
        reconcile: R,
        context: Arc<Ctx>,
        options: RunOptions,
    ) -> impl Future<Output = ()> + Send
    where
        R: Fn(Arc<K>, Arc<Ctx>) -> F + Send + Sync + 'static,
        F: Future<Output = Result<Action, E>> + Send + 'static,
        E: Into<Error> + Send + 'static,
    {
        run::run(self, reconcile, context, options)
    }
}

impl<K: CachedResource, Ctx> fmt::Debug for Controller<K, Ctx> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Controller")
            .field("name", &self.name)
            .field("store", &self.store)
            .field("concurrency", &self.concurrency)
            .finish_non_exhaustive()
    }
}
