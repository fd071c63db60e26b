//! Configuration of a controller: its store, sources and limits.

use std::{fmt, sync::Arc, time::Duration};

use kube::runtime::reflector::ObjectRef;

use super::{
    Action, Error, RetryPolicy, RunOptions, run,
    source::{MappedSource, Source, owners_of_kind},
};
use crate::store::{CachedResource, Store, SyncStates};

/// The default of [`Controller::timeout`].
const TIMEOUT: Duration = Duration::from_secs(300);

/// Reconciles the objects of a store; see the [module](super).
pub struct Controller<K: CachedResource> {
    pub(super) name: Arc<str>,
    pub(super) store: Store<K>,
    pub(super) sources: Vec<Box<dyn Source<K>>>,
    pub(super) concurrency: u16,
    pub(super) retry: RetryPolicy<K>,
    pub(super) timeout: Duration,
}

impl<K: CachedResource> Controller<K> {
    /// Creates a controller for all objects of `store`. `name` identifies it in logs and metrics.
    pub fn new(name: impl Into<Arc<str>>, store: &Store<K>) -> Self {
        Self {
            name: name.into(),
            store: store.clone(),
            sources: Vec::new(),
            concurrency: 8,
            retry: RetryPolicy::default(),
            timeout: TIMEOUT,
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
    /// let controller = Controller::new("configmap", &config_maps).timeout(Duration::from_secs(30));
    /// # drop(controller);
    /// ```
    #[must_use]
    pub fn timeout(self, timeout: Duration) -> Self {
        Self { timeout, ..self }
    }

    /// Runs the controller until `options.shutdown` is canceled. It starts once its stores are synced and this replica leads.
    ///
    /// On shutdown the queue is dropped and running reconciles finish. Dropping the future aborts them.
    pub fn run<Ctx, R, F, E>(
        self,
        reconcile: R,
        context: Arc<Ctx>,
        options: RunOptions,
    ) -> impl Future<Output = ()> + Send
    where
        Ctx: Send + Sync + 'static,
        R: Fn(Arc<K>, Arc<Ctx>) -> F + Send + Sync + 'static,
        F: Future<Output = Result<Action, E>> + Send + 'static,
        E: Into<Error> + Send + 'static,
    {
        run::run(self, reconcile, context, options)
    }
}

impl<K: CachedResource> fmt::Debug for Controller<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Controller")
            .field("name", &self.name)
            .field("store", &self.store)
            .field("concurrency", &self.concurrency)
            .finish_non_exhaustive()
    }
}
