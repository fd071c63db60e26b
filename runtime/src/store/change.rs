//! What subscribers of a store hear.

use std::sync::Arc;

/// One change of a store.
#[derive(Debug)]
pub enum Change<K> {
    /// An object is new, or is no longer as it was.
    Applied {
        /// What it is now.
        now: Arc<K>,
        /// What it was before, if it was there. Who maps an object to others needs both: it may have left one of them.
        before: Option<Arc<K>>,
    },
    /// An object is gone. This is how it was last seen.
    Deleted(Arc<K>),
}

// Without a bound on the kind, which is shared.
impl<K> Clone for Change<K> {
    fn clone(&self) -> Self {
        match self {
            Self::Applied { now, before } => Self::Applied {
                now: Arc::clone(now),
                before: before.clone(),
            },
            Self::Deleted(gone) => Self::Deleted(Arc::clone(gone)),
        }
    }
}

impl<K> Change<K> {
    /// An object that was not there before.
    pub(super) fn new(now: Arc<K>) -> Self {
        Self::Applied { now, before: None }
    }
}
