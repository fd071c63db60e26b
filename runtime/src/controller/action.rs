//! Result of a successful reconcile.

use std::time::Duration;

/// When to reconcile an object again after success.
///
/// Like kube's [`Action`](kube::runtime::controller::Action), but readable by the controller.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Action {
    pub(super) requeue_after: Option<Duration>,
}

impl Action {
    /// Reconciles again after this delay, or earlier if the object or a related one changes.
    #[must_use]
    pub const fn requeue(after: Duration) -> Self {
        Self {
            requeue_after: Some(after),
        }
    }

    /// Reconciles again only when the object or a related one changes.
    #[must_use]
    pub const fn await_change() -> Self {
        Self {
            requeue_after: None,
        }
    }
}
