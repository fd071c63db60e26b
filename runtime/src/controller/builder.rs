//! What a controller looks at, and how.

use std::{fmt, sync::Arc, time::Duration};

use kube::runtime::reflector::ObjectRef;

use super::{
    Action, Around, Error, Retry,
    related::{Mapped, Related, owners},
    run,
};
use crate::store::{CachedResource, Store, SyncStates};

/// The default of [`Controller::timeout`].
const TIMEOUT: Duration = Duration::from_secs(300);

/// Calls a function for every object of a kind that may have work to do.
pub struct Controller<K: CachedResource> {
    pub(super) name: Arc<str>,
    pub(super) store: Store<K>,
    pub(super) related: Vec<Box<dyn Related<K>>>,
    pub(super) workers: u16,
    pub(super) retry: Retry<K>,
    pub(super) timeout: Duration,
}

impl<K: CachedResource> Controller<K> {
    /// A controller of all objects of a store. The name stands in logs and metrics.
    pub fn new(name: impl Into<Arc<str>>, store: &Store<K>) -> Self {
        Self {
            name: name.into(),
            store: store.clone(),
            related: Vec::new(),
            workers: 8,
            retry: Retry::default(),
            timeout: TIMEOUT,
        }
    }

    /// Its name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Reconciles the owner when one of these objects changes or is deleted: each object of this controller's kind that an owner
    /// reference names.
    #[must_use]
    pub fn owns<C: CachedResource>(self, store: &Store<C>) -> Self {
        self.related(store, owners)
    }

    /// Reconciles what the mapper names when one of these objects changes or is deleted. The mapper is also asked what the object was
    /// before: it may have left some. If it panics, the change is ignored; the panic is logged and counted in `kb_mapper_panics_total`.
    #[must_use]
    pub fn watches<O: CachedResource, I>(
        self,
        store: &Store<O>,
        mapper: impl Fn(&O) -> I + Send + Sync + 'static,
    ) -> Self
    where
        I: IntoIterator<Item = ObjectRef<K>>,
    {
        self.related(store, move |object: &O| {
            mapper(object).into_iter().collect()
        })
    }

    /// Names a store that reconcile reads, though changes of its objects trigger nothing.
    ///
    /// A controller starts once every store that it names is synced, by [`new`](Self::new), [`owns`](Self::owns),
    /// [`watches`](Self::watches) or this method. A manager's controllers wait for the manager's other stores, too, except for those
    /// that another controller names and that cannot be listed, because the CRD is not installed or the role lacks `list`. So name
    /// every store in the context of a controller whose kind may be missing: otherwise reconcile may find it empty.
    #[must_use]
    pub fn reads<O: CachedResource>(mut self, store: &Store<O>) -> Self {
        self.related.push(Box::new(store.clone()));
        self
    }

    /// How far the stores are that this controller names.
    pub(crate) fn sync_states(&self) -> impl Iterator<Item = SyncStates> {
        let related = self.related.iter().map(|related| related.sync_states());
        std::iter::once(self.store.sync_states()).chain(related)
    }

    fn related<O: CachedResource>(
        mut self,
        store: &Store<O>,
        mapper: impl Fn(&O) -> Vec<ObjectRef<K>> + Send + Sync + 'static,
    ) -> Self {
        self.related.push(Box::new(Mapped {
            controller: Arc::clone(&self.name),
            store: store.clone(),
            mapper: Arc::new(mapper),
        }));
        self
    }

    /// How many objects are reconciled at once, at least 1. It is 8 unless this says otherwise.
    #[must_use]
    pub fn workers(self, most: u16) -> Self {
        let workers = most.max(1);
        Self { workers, ..self }
    }

    /// When an object that failed is tried again.
    #[must_use]
    pub fn retry(self, retry: Retry<K>) -> Self {
        Self { retry, ..self }
    }

    /// Sets how long a reconcile may take, 5 minutes by default. One that takes longer is cancelled at its current `await`, counts as
    /// failed and is retried: so a reconcile that hangs frees its worker. `Duration::MAX` turns the timeout off.
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

    /// Reconciles, until the surroundings say to stop. It starts when the stores that it names are synced and this replica leads.
    ///
    /// When it is told to stop, what waits is dropped and what is under way is finished. Dropping the future aborts that as well.
    pub fn run<Ctx, R, F, E>(
        self,
        reconcile: R,
        context: Arc<Ctx>,
        around: Around,
    ) -> impl Future<Output = ()> + Send
    where
        Ctx: Send + Sync + 'static,
        R: Fn(Arc<K>, Arc<Ctx>) -> F + Send + Sync + 'static,
        F: Future<Output = Result<Action, E>> + Send + 'static,
        E: Into<Error> + Send + 'static,
    {
        run::run(self, reconcile, context, around)
    }
}

impl<K: CachedResource> fmt::Debug for Controller<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Controller")
            .field("name", &self.name)
            .field("store", &self.store)
            .field("workers", &self.workers)
            .finish_non_exhaustive()
    }
}
