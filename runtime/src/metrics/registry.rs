//! All metrics of an operator, and their text.

use std::{
    fmt,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use http::Uri;
use prometheus_client::{encoding::text::encode, registry::Registry};

use super::{
    client::{ClientLayer, RequestCounts},
    controller::ControllerMetrics,
    families::ControllerFamilies,
    leader::{LeaderMetrics, LeaderStates},
    process::Process,
    store::{StoreFamilies, StoreMetrics},
    writes::WriteMetrics,
};

/// All metrics of an operator. Clones are the same metrics.
///
/// ```
/// use kb::metrics::{Metrics, prometheus_client::metrics::counter::Counter};
///
/// let metrics = Metrics::new();
/// let sold: Counter = Counter::default();
/// metrics.register(|registry| registry.register("shop_books_sold", "Books sold", sold.clone()));
/// sold.inc();
/// assert!(metrics.render()?.contains("\nshop_books_sold_total 1\n"));
/// # Ok::<(), std::fmt::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct Metrics {
    registry: Arc<Mutex<Registry>>,
    controllers: ControllerFamilies,
    stores: StoreFamilies,
    leaders: LeaderStates,
    requests: RequestCounts,
    writes: WriteMetrics,
}

impl Metrics {
    /// Metrics without any controller yet.
    pub fn new() -> Self {
        let controllers = ControllerFamilies::default();
        let stores = StoreFamilies::default();
        let leaders = LeaderStates::default();
        let requests = RequestCounts::default();
        let mut registry = Registry::default();
        controllers.register(&mut registry);
        stores.register(&mut registry);
        leaders.register(&mut registry);
        requests.register(&mut registry);
        let writes = WriteMetrics::registered(&mut registry);
        registry.register_collector(Box::new(Process));
        Self {
            registry: Arc::new(Mutex::new(registry)),
            controllers,
            stores,
            leaders,
            requests,
            writes,
        }
    }

    /// What the controller of this name counts. All of its series are there from now on, with 0.
    pub fn controller(&self, name: &str) -> ControllerMetrics {
        self.controllers.controller(name).into()
    }

    /// Counters of the stores of a kind, for [`Config::metrics`](crate::store::Config::metrics). The manager's stores have them.
    pub fn store(&self, kind: &str) -> StoreMetrics {
        self.stores.kind(kind)
    }

    pub(crate) fn writes(&self) -> WriteMetrics {
        self.writes.clone()
    }

    /// Whether this process leads by the lease of this name: no, until it is set.
    pub fn leader(&self, name: &str) -> LeaderMetrics {
        self.leaders.lease(name)
    }

    /// A layer for kube's client that counts requests to this server, by answer and method.
    ///
    /// ```no_run
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let (metrics, config): (kb::metrics::Metrics, kube::Config) = unimplemented!();
    /// let layer = metrics.client_layer(&config.cluster_url);
    /// let client = kube::client::ClientBuilder::try_from(config)?.with_layer(&layer).build();
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// The layer is the outermost, where a request does not name its server yet: so the server is named here. What kube's client
    /// tries again by itself, after a 429 for instance, is one request with the last answer. The manager's client does not do that.
    pub fn client_layer(&self, server: &Uri) -> ClientLayer {
        self.requests.layer(server)
    }

    /// Adds metrics of one's own. A counter's name is given without `_total`: the text adds it.
    pub fn register(&self, add: impl FnOnce(&mut Registry)) {
        add(&mut self.registry());
    }

    /// All metrics as `OpenMetrics` text.
    pub fn render(&self) -> Result<String, fmt::Error> {
        let mut text = String::new();
        encode(&mut text, &self.registry())?;
        Ok(text)
    }

    /// A panic of someone who registered or was read leaves the registry as a list of metrics, which is all it is.
    fn registry(&self) -> MutexGuard<'_, Registry> {
        self.registry.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Default for Metrics {
    fn default() -> Self {
        Self::new()
    }
}
