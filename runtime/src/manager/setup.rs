//! The manager before it runs: stores, controllers, probes and metrics.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use kube::{Api, Client};
use tokio::sync::watch;
use tokio_util::sync::CancellationToken;

use super::{Error, client, runnables::Runnables};
use crate::{
    controller::{self, Action, Controller, RunOptions},
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

/// Runs controllers with a shared client, caches, leader election, probes, metrics and graceful shutdown. See the [module](super).
pub struct Manager {
    pub(super) name: String,
    pub(super) flags: Flags,
    pub(super) client: Client,
    pub(super) metrics: Metrics,
    pub(super) probes: Probes,
    pub(super) shutdown: Shutdown,
    pub(super) elector: Option<Elector>,
    pub(super) leadership: Leadership,
    /// Whether controllers may start: see [`Runnables::synced`].
    pub(super) caches_synced: watch::Sender<bool>,
    /// Canceled when this process is elected: watches then reconnect.
    pub(super) elected: CancellationToken,
    /// Canceled when controllers must finish.
    pub(super) stop_controllers: CancellationToken,
    pub(super) runnables: Arc<Mutex<Runnables>>,
    objects: Objects,
}

impl Manager {
    /// Initializes logging, installs signal handlers and connects to the cluster.
    ///
    /// `name` is the operator name: of its lease unless `--leader-election-id` is set, and as the field manager of server-side apply.
    ///
    /// # Errors
    ///
    /// Returns an error if a tracing subscriber is already set, the cluster is not configured or not reachable, leader election is
    /// misconfigured, or a signal arrives meanwhile. An overloaded API server is retried for up to a minute.
    pub async fn new(name: &str, flags: Flags) -> Result<Self, Error> {
        log::init(flags.log_level.clone(), flags.log_format)?;
        let shutdown = Shutdown::on_signals().map_err(Error::Signals)?;
        let metrics = Metrics::new();
        let connecting = client::connect(&flags, &metrics);
        let client = shutdown
            .drain
            .run_until_cancelled(connecting)
            .await
            .unwrap_or(Err(Error::Stopped))?;
        Self::with_client(name, flags, client, metrics, shutdown)
    }

    /// Creates a manager with a custom client, metrics and shutdown, without initializing logging or installing signal handlers.
    ///
    /// # Errors
    ///
    /// Returns an error if leader election is misconfigured or its watchdog thread cannot be started.
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
            None => Leadership::always(),
        };
        let runnables = Arc::<Mutex<Runnables>>::default();
        let probes = Probes::default();
        let checked = Arc::clone(&runnables);
        probes.add_public_ready_check("caches", move || std::future::ready(lock(&checked).ready()));
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
            caches_synced: watch::Sender::new(false),
            elected: CancellationToken::new(),
            stop_controllers: CancellationToken::new(),
            runnables,
        })
    }

    /// Returns the Kubernetes client.
    pub fn client(&self) -> Client {
        self.client.clone()
    }

    /// Returns the client for server-side apply, pruning and status updates, with the operator name as field manager.
    pub fn objects(&self) -> Objects {
        self.objects.clone()
    }

    /// Returns an event recorder. `controller` is the reporting controller of its events.
    pub fn event_recorder(&self, controller: &str) -> EventRecorder {
        EventRecorder::new(self.client(), controller)
    }

    /// Returns the metrics. Add your own with [`register`](Metrics::register).
    pub fn metrics(&self) -> &Metrics {
        &self.metrics
    }

    /// Returns the checks behind `/healthz` and `/readyz`, to add your own. `/readyz` already checks that all caches are synced.
    pub fn probes(&self) -> &Probes {
        &self.probes
    }

    /// Returns the shared store of a kind, in the namespaces of `--watch-namespace`. All callers share one cache and one watch.
    pub fn store<K: CachedResource>(&self) -> Store<K>
    where
        K::Scope: Scope,
    {
        if let Some(store) = self.runnables().shared() {
            return store;
        }
        let apis = self.flags.watch_namespace.apis(&self.client);
        let store = self.store_with(apis, Config::default());
        self.runnables().share(&store);
        store
    }

    /// Creates a separate store with other namespaces, selectors or settings. Each call adds a cache and a watch.
    pub fn store_with<K: CachedResource>(&self, apis: Vec<Api<K>>, config: Config) -> Store<K> {
        let config = Config {
            // Without its own managed fields, apply would have to read the object each time.
            keep_managed_fields_of: config
                .keep_managed_fields_of
                .or_else(|| Some(self.name.clone())),
            metrics: self.metrics.store(&K::kind(&())),
            ..config
        };
        let (store, watch) = Store::new(apis, config);
        let (watch, reconnected) = watch.reconnect_on(self.elected.clone());
        let mut runnables = self.runnables();
        runnables.add_store(&store, reconnected);
        let name = format!("watch of {}", K::kind(&()));
        runnables.watches.push((name, Box::pin(watch.run())));
        store
    }

    /// Registers a controller. [`run`](Self::run) runs it while this process is the leader.
    ///
    /// It starts once all stores of the manager are synced, because the reconciler may read any of them. A store that cannot be listed because
    /// its CRD is not installed or the role lacks `list` delays only the controllers that declare it by [`Controller::new`],
    /// [`owns`](Controller::owns), [`watches`](Controller::watches) or [`reads`](Controller::reads); if none does, it delays all of them.
    ///
    /// `context` is passed to every call of `reconcile`.
    pub fn add_controller<K, Ctx, R, F, E>(
        &self,
        controller: Controller<K, Ctx>,
        reconcile: R,
        context: Ctx,
    ) where
        K: CachedResource,
        Ctx: Send + Sync + 'static,
        R: Fn(Arc<K>, Arc<Ctx>) -> F + Send + Sync + 'static,
        F: Future<Output = Result<Action, E>> + Send + 'static,
        E: Into<controller::Error> + Send + 'static,
    {
        let name = controller.name().to_owned();
        let declared: Vec<_> = controller.sync_states().collect();
        let options = RunOptions {
            shutdown: self.stop_controllers.clone(),
            leadership: self.leadership.clone(),
            ready: self.caches_synced.subscribe(),
            metrics: self.metrics.controller(&name),
        };
        let run = controller.run(reconcile, Arc::new(context), options);
        let mut runnables = self.runnables();
        runnables.declared.extend(declared);
        runnables
            .controllers
            .push((format!("controller {name}"), Box::pin(run)));
    }

    pub(super) fn runnables(&self) -> MutexGuard<'_, Runnables> {
        lock(&self.runnables)
    }
}

/// Nothing panics while the lock is held.
fn lock(runnables: &Mutex<Runnables>) -> MutexGuard<'_, Runnables> {
    runnables.lock().unwrap_or_else(PoisonError::into_inner)
}
