//! What subscribers of a store hear.

use std::sync::Arc;

/// One change of a store.
#[derive(Debug)]
pub enum Change<K> {
    /// An object is new, or is no longer as it was.
    Applied {
        /// The current object.
        new: Arc<K>,
        /// The previous object, if there was one. A mapper needs both: the change may have removed a reference.
        old: Option<Arc<K>>,
    },
    /// An object is gone. This is how it was last seen.
    Deleted(Arc<K>),
}

// Without a bound on the kind, which is shared.
impl<K> Clone for Change<K> {
    fn clone(&self) -> Self {
        match self {
            Self::Applied { new, old } => Self::Applied {
                new: Arc::clone(new),
                old: old.clone(),
            },
            Self::Deleted(gone) => Self::Deleted(Arc::clone(gone)),
        }
    }
}

impl<K> Change<K> {
    /// An object that was not there before.
    pub(super) fn new(new: Arc<K>) -> Self {
        Self::Applied { new, old: None }
    }
}
