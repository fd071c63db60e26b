//! What an operator is made of, before it runs.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use kube::{Api, Client};
use tokio::sync::watch;
use tokio_util::sync::CancellationToken;

use super::{Error, client, registered::Registered};
use crate::{
    controller::{self, Action, Around, Controller},
    flags::Flags,
    leader::{Elector, Leadership},
    log,
    metrics::Metrics,
    namespaces::Scope,
    objects::{EventRecorder, Objects},
    server::Probes,
    shutdown::Shutdown,
    store::{CachedResource, Config, Store},
};

/// The surroundings of an operator's controllers: client, caches, leader election, probes, metrics and shutdown.
pub struct Manager {
    pub(super) name: String,
    pub(super) flags: Flags,
    pub(super) client: Client,
    pub(super) metrics: Metrics,
    pub(super) probes: Probes,
    pub(super) shutdown: Shutdown,
    pub(super) elector: Option<Elector>,
    pub(super) leadership: Leadership,
    /// Whether controllers may start: see [`Registered::awaited`].
    pub(super) filled: watch::Sender<bool>,
    /// Cancelled when this process begins to lead by election: watches then connect anew.
    pub(super) leads: CancellationToken,
    /// Cancelled when controllers are to finish.
    pub(super) work: CancellationToken,
    pub(super) registered: Arc<Mutex<Registered>>,
    objects: Objects,
}

impl Manager {
    /// Sets up the log, listens for signals and connects to the cluster, as the flags say.
    ///
    /// `name` is that of the operator: of its lease, and of the fields that it applies.
    pub async fn new(name: &str, flags: Flags) -> Result<Self, Error> {
        log::init(flags.log_level.clone(), flags.log_format)?;
        let shutdown = Shutdown::on_signals().map_err(Error::Signals)?;
        let metrics = Metrics::new();
        let connected = client::connect(&flags, &metrics);
        let client = shutdown
            .drain
            .run_until_cancelled(connected)
            .await
            .unwrap_or(Err(Error::Stopped))?;
        Self::with_client(name, flags, client, metrics, shutdown)
    }

    /// The same with a client of one's own, and a shutdown that need not come from signals: for tests, and for programs that do more.
    pub fn with_client(
        name: &str,
        flags: Flags,
        client: Client,
        metrics: Metrics,
        shutdown: Shutdown,
    ) -> Result<Self, Error> {
        let elector = flags
            .leader_election(name)?
            .map(|config| Elector::new(client.clone(), config))
            .transpose()?
            .map(Elector::exit_on_expiry)
            .transpose()
            .map_err(Error::Watchdog)?;
        let leadership = match &elector {
            Some(elector) => elector.leadership(),
            None => Leadership::endless(),
        };
        let registered = Arc::<Mutex<Registered>>::default();
        let probes = Probes::default();
        let seen = Arc::clone(&registered);
        probes.add_public_ready_check("caches", move || std::future::ready(lock(&seen).ready()));
        Ok(Self {
            name: name.to_owned(),
            objects: Objects::new(client.clone(), name).with_metrics(&metrics),
            flags,
            client,
            metrics,
            probes,
            shutdown,
            elector,
            leadership,
            filled: watch::Sender::new(false),
            leads: CancellationToken::new(),
            work: CancellationToken::new(),
            registered,
        })
    }

    /// The Kubernetes API, with the operator's own permissions.
    pub fn client(&self) -> Client {
        self.client.clone()
    }

    /// Applies objects and writes status, with the operator's name as field manager.
    pub fn objects(&self) -> Objects {
        self.objects.clone()
    }

    /// Publishes events in the name of a controller.
    pub fn event_recorder(&self, controller: &str) -> EventRecorder {
        EventRecorder::new(self.client(), controller)
    }

    /// What is counted: [`register`](Metrics::register) adds metrics of your own.
    pub fn metrics(&self) -> &Metrics {
        &self.metrics
    }

    /// What `/healthz` and `/readyz` look at: checks of your own can be added. `/readyz` waits for all caches by itself.
    pub fn probes(&self) -> &Probes {
        &self.probes
    }

    /// The objects of a kind, in the namespaces that the operator looks at. All who ask share one cache and one watch.
    pub fn store<K: CachedResource>(&self) -> Store<K>
    where
        K::Scope: Scope,
    {
        if let Some(store) = self.registered().shared() {
            return store;
        }
        let apis = self.flags.watch_namespace.apis(&self.client);
        let store = self.store_of(apis, Config::default());
        self.registered().share(&store);
        store
    }

    /// Objects of a kind that are chosen in another way: other namespaces, or by labels. Each call makes a cache of its own.
    pub fn store_of<K: CachedResource>(&self, apis: Vec<Api<K>>, config: Config) -> Store<K> {
        let config = Config {
            // Without its own entries, apply would have to ask the server each time.
            keep_managed_fields_of: config
                .keep_managed_fields_of
                .or_else(|| Some(self.name.clone())),
            metrics: self.metrics.store(&K::kind(&())),
            ..config
        };
        let (store, watch) = Store::new(apis, config);
        let (watch, reconnected) = watch.reconnect_on(self.leads.clone());
        let mut registered = self.registered();
        registered.add_store(&store, reconnected);
        let part = format!("the watch of {}", K::kind(&()));
        registered.watches.push((part, Box::pin(watch.run())));
        store
    }

    /// Runs a controller, from [`run`](Self::run) on, while this process leads.
    ///
    /// It starts once all stores of the manager are synced, because reconcile may read any of them. A store that cannot be listed, because
    /// its CRD is not installed or the role lacks `list`, holds back only the controllers that name it, by [`Controller::new`],
    /// [`owns`](Controller::owns), [`watches`](Controller::watches) or [`reads`](Controller::reads). If no controller names it, it
    /// holds back all of them.
    pub fn start<K, Ctx, R, F, E>(&self, controller: Controller<K>, reconcile: R, context: Ctx)
    where
        K: CachedResource,
        Ctx: Send + Sync + 'static,
        R: Fn(Arc<K>, Arc<Ctx>) -> F + Send + Sync + 'static,
        F: Future<Output = Result<Action, E>> + Send + 'static,
        E: Into<controller::Error> + Send + 'static,
    {
        let name = controller.name().to_owned();
        let named: Vec<_> = controller.sync_states().collect();
        let around = Around {
            shutdown: self.work.clone(),
            leadership: self.leadership.clone(),
            ready: self.filled.subscribe(),
            metrics: self.metrics.controller(&name),
        };
        let run = controller.run(reconcile, Arc::new(context), around);
        let part = format!("the controller {name}");
        let mut registered = self.registered();
        registered.named.extend(named);
        registered.controllers.push((part, Box::pin(run)));
    }

    pub(super) fn registered(&self) -> MutexGuard<'_, Registered> {
        lock(&self.registered)
    }
}

/// Nothing panics while it is held.
fn lock(registered: &Mutex<Registered>) -> MutexGuard<'_, Registered> {
    registered.lock().unwrap_or_else(PoisonError::into_inner)
}
