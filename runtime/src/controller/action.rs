//! What follows a reconcile that went well.

use std::time::Duration;

/// When an object is looked at again. It is what kube has under this name, and can be read: kube's cannot.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Action {
    pub(super) again_in: Option<Duration>,
}

impl Action {
    /// After this time, or before when something changes.
    #[must_use]
    pub const fn requeue(after: Duration) -> Self {
        let again_in = Some(after);
        Self { again_in }
    }

    /// When something changes.
    #[must_use]
    pub const fn await_change() -> Self {
        Self { again_in: None }
    }
}
