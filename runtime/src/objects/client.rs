//! The handle that apply, prune and status share: a client, the operator's name, and what was written last.

use std::{fmt, sync::Arc};

use kube::{Client, Resource};
use serde::de::DeserializeOwned;

use super::{memory::Memory, throttle::Throttle};
use crate::{
    metrics::{Metrics, WriteMetrics},
    store::packed,
};

/// Writes objects in the name of an operator. Clones share what they remember; make one for the whole operator.
#[derive(Clone)]
pub struct Objects {
    pub(super) client: Client,
    pub(super) manager: Arc<str>,
    pub(super) applied: Arc<Memory>,
    pub(super) statuses: Arc<Memory>,
    pub(super) throttle: Arc<Throttle>,
    pub(super) metrics: WriteMetrics,
}

impl Objects {
    /// `field_manager` names the operator in the `managedFields` of what it writes. It must stay the same from release to
    /// release: fields that were applied under another name are not removed.
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

    /// Counts throttled writes in these metrics. Those of a [`Manager`](crate::Manager) do.
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

    /// Sends a request, and reads the object that is the answer as a cache would have it: without the managed fields of others.
    pub(super) async fn request<K: Resource + DeserializeOwned>(
        &self,
        request: http::Request<Vec<u8>>,
    ) -> Result<K, kube::Error> {
        let text = self.client.request_text(request).await?;
        packed::read(text, &self.manager).map_err(kube::Error::SerdeError)
    }
}

impl fmt::Debug for Objects {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Objects")
            .field("manager", &self.manager)
            .finish_non_exhaustive()
    }
}
