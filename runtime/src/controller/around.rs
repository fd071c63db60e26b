//! What a controller is given by who runs it.

use tokio::sync::watch;
use tokio_util::sync::CancellationToken;

use crate::metrics::ControllerMetrics;

/// The surroundings of a controller. The default is that of one which runs alone: it leads, and never stops.
#[derive(Debug, Clone)]
pub struct Around {
    /// Cancelled when the operator is to stop: no reconcile is started, and those under way are waited for.
    pub shutdown: CancellationToken,
    /// Whether this replica leads. Nothing is reconciled before it does; when it no longer does, what is under way is aborted.
    pub leading: watch::Receiver<bool>,
    /// Nothing is reconciled before this is true: caches that the controller does not name itself may have to be filled.
    pub ready: watch::Receiver<bool>,
    /// Where the controller counts.
    pub metrics: ControllerMetrics,
}

impl Default for Around {
    fn default() -> Self {
        Self {
            shutdown: CancellationToken::new(),
            leading: watch::channel(true).1,
            ready: watch::channel(true).1,
            metrics: ControllerMetrics::default(),
        }
    }
}

/// Waits until something is as it is asked to be.
pub(super) async fn turned(what: &mut watch::Receiver<bool>, to: bool) {
    if what.wait_for(|is| *is == to).await.is_err() {
        // Nobody is left to change it.
        std::future::pending::<()>().await;
    }
}
