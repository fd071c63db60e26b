//! The client for applying, pruning and patching status.

use std::{fmt, sync::Arc};

use kube::Client;
use serde::de::DeserializeOwned;

use super::{last_writes::LastWrites, throttle::Throttle};
use crate::{
    metrics::{Metrics, WriteMetrics},
    store::compact::deserialize_response,
};

/// Writes objects as one field manager. Clones share the record of past writes: use one per operator, such as that of
/// [`Manager::objects`](crate::Manager::objects).
#[derive(Clone)]
pub struct Objects {
    pub(super) client: Client,
    pub(super) manager: Arc<str>,
    pub(super) applied: Arc<LastWrites>,
    pub(super) statuses: Arc<LastWrites>,
    pub(super) throttle: Arc<Throttle>,
    pub(super) metrics: WriteMetrics,
}

impl Objects {
    /// Creates a client that writes as `field_manager`.
    ///
    /// The field manager must not change between releases: fields that were applied under another name are not removed.
    pub fn new(client: Client, field_manager: impl Into<String>) -> Self {
        Self {
            client,
            manager: field_manager.into().into(),
            applied: Arc::default(),
            statuses: Arc::default(),
            throttle: Arc::default(),
            metrics: WriteMetrics::default(),
        }
    }

    /// Counts throttled writes in these metrics. A [`Manager`](crate::Manager) uses its own.
    ///
    /// ```no_run
    /// use kb::{metrics::Metrics, objects::Objects};
    ///
    /// # fn wrapper(client: kube::Client) -> Objects {
    /// let metrics = Metrics::new();
    /// Objects::new(client, "shop-operator").with_metrics(&metrics)
    /// # }
    /// ```
    #[must_use]
    pub fn with_metrics(self, metrics: &Metrics) -> Self {
        let metrics = metrics.writes();
        Self { metrics, ..self }
    }

    pub(crate) fn client(&self) -> &Client {
        &self.client
    }

    /// Sends a request and deserializes the object in the response, without the managed fields of other managers.
    pub(super) async fn request<K: DeserializeOwned>(
        &self,
        request: http::Request<Vec<u8>>,
    ) -> Result<K, kube::Error> {
        let json = self.client.request_text(request).await?;
        deserialize_response(&json, &self.manager).map_err(kube::Error::SerdeError)
    }
}

impl fmt::Debug for Objects {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Objects")
            .field("manager", &self.manager)
            .finish_non_exhaustive()
    }
}
