//! What a controller is given by who runs it.

use tokio::sync::watch;
use tokio_util::sync::CancellationToken;

use crate::{leader::Leadership, metrics::ControllerMetrics};

/// The surroundings of a controller. The default is that of one which runs alone: it leads, and never stops.
#[derive(Debug, Clone)]
pub struct Around {
    /// Cancelled when the operator is to stop: no reconcile is started, and those under way are waited for.
    pub shutdown: CancellationToken,
    /// Whether this replica leads. Nothing is reconciled before it does; when its term is over, what is under way goes no further, and is
    /// aborted.
    pub leadership: Leadership,
    /// Nothing is reconciled before this is true: caches that the controller does not name itself may have to be filled.
    pub ready: watch::Receiver<bool>,
    /// Where the controller counts.
    pub metrics: ControllerMetrics,
}

impl Default for Around {
    fn default() -> Self {
        Self {
            shutdown: CancellationToken::new(),
            leadership: Leadership::endless(),
            ready: watch::channel(true).1,
            metrics: ControllerMetrics::default(),
        }
    }
}

impl Around {
    /// Waits until work may begin.
    pub(super) async fn until_allowed(&mut self) {
        if self.ready.wait_for(|ready| *ready).await.is_err() {
            // Nobody is left to change it.
            std::future::pending::<()>().await;
        }
        self.leadership.gained().await;
    }
}
