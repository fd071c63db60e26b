//! Registry of all metrics of an operator.

use std::{
    fmt,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use http::Uri;
use prometheus_client::{encoding::text::encode, registry::Registry};

use super::{
    client::{MetricsLayer, RequestMetrics},
    controller::ControllerMetrics,
    families::ControllerFamilies,
    leader::{LeaderFamily, LeaderMetrics},
    process::ProcessCollector,
    store::{StoreFamilies, StoreMetrics},
    writes::WriteMetrics,
};

/// Metrics of an operator. Clones share them.
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
    leader: LeaderFamily,
    requests: RequestMetrics,
    writes: WriteMetrics,
}

impl Metrics {
    /// Creates a registry with the process metrics.
    pub fn new() -> Self {
        let controllers = ControllerFamilies::default();
        let stores = StoreFamilies::default();
        let leader = LeaderFamily::default();
        let requests = RequestMetrics::default();
        let mut registry = Registry::default();
        controllers.register(&mut registry);
        stores.register(&mut registry);
        leader.register(&mut registry);
        requests.register(&mut registry);
        let writes = WriteMetrics::register(&mut registry);
        registry.register_collector(Box::new(ProcessCollector));
        Self {
            registry: Arc::new(Mutex::new(registry)),
            controllers,
            stores,
            leader,
            requests,
            writes,
        }
    }

    /// Returns the metrics of a controller. Its series are exported from now on, starting at 0.
    pub fn controller(&self, name: &str) -> ControllerMetrics {
        self.controllers.controller(name).into()
    }

    /// Returns the metrics for stores of a kind, for [`Config::metrics`](crate::store::Config::metrics). A manager sets them.
    pub fn store(&self, kind: &str) -> StoreMetrics {
        self.stores.kind(kind)
    }

    pub(crate) fn writes(&self) -> WriteMetrics {
        self.writes.clone()
    }

    /// Returns the leader election metric of a lease. A manager sets it.
    pub fn leader(&self, name: &str) -> LeaderMetrics {
        self.leader.lease(name)
    }

    /// Returns a layer for kube's client that counts requests to `server` by status code and method.
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
    /// As the outermost layer it sees requests before kube adds the host, so the server is a parameter. Requests that kube's client retries
    /// itself count once, with the last status code. The manager's client does not retry, and has this layer.
    pub fn client_layer(&self, server: &Uri) -> MetricsLayer {
        self.requests.layer(server)
    }

    /// Registers custom metrics. Name counters without `_total`, which the encoder appends.
    pub fn register(&self, register: impl FnOnce(&mut Registry)) {
        register(&mut self.registry());
    }

    /// Encodes all metrics as `OpenMetrics` text.
    ///
    /// # Errors
    ///
    /// Returns an error if a custom collector fails.
    pub fn render(&self) -> Result<String, fmt::Error> {
        let mut text = String::new();
        encode(&mut text, &self.registry())?;
        Ok(text)
    }

    // A panic in a custom metric leaves the registry consistent.
    fn registry(&self) -> MutexGuard<'_, Registry> {
        self.registry.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Default for Metrics {
    fn default() -> Self {
        Self::new()
    }
}
