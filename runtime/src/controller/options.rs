//! Options of [`Controller::run`](super::Controller::run).

use tokio::sync::watch;
use tokio_util::sync::CancellationToken;

use crate::{leader::Leadership, metrics::ControllerMetrics};

/// Shutdown, leadership, readiness and metrics of a running controller.
///
/// The default suits a controller without a manager: it always leads, and runs until dropped. A [`Manager`](crate::Manager) sets all of them.
#[derive(Debug, Clone)]
pub struct RunOptions {
    /// Cancel it to stop: the controller starts no further reconcile and waits for the running ones.
    pub shutdown: CancellationToken,
    /// Leadership of this replica. The controller starts once it leads; when it loses the lease, running reconciles are suspended and then
    /// aborted.
    pub leadership: Leadership,
    /// Delays the first reconcile until this is true, for caches that the controller does not declare itself.
    pub ready: watch::Receiver<bool>,
    /// Metrics of this controller. The default discards them.
    pub metrics: ControllerMetrics,
}

impl Default for RunOptions {
    fn default() -> Self {
        Self {
            shutdown: CancellationToken::new(),
            leadership: Leadership::always(),
            ready: watch::channel(true).1,
            metrics: ControllerMetrics::default(),
        }
    }
}

impl RunOptions {
    /// Waits until the controller may start.
    pub(super) async fn ready_to_start(&mut self) {
        if self.ready.wait_for(|ready| *ready).await.is_err() {
            // The sender is gone, so it can never become true.
            std::future::pending::<()>().await;
        }
        self.leadership.acquired().await;
    }
}
