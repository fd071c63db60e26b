//! Changes delivered to subscribers of a store.

use std::sync::Arc;

/// A change of a cached object.
#[derive(Debug)]
pub enum Change<K> {
    /// An object was created or updated.
    Applied {
        /// The current object.
        new: Arc<K>,
        /// The previous object, or `None` if it was created. Mappers need both: an update may remove a reference to another object.
        old: Option<Arc<K>>,
    },
    /// An object was deleted. Contains its last cached state.
    Deleted(Arc<K>),
}

// Not derived, which would require `K: Clone`.
impl<K> Clone for Change<K> {
    fn clone(&self) -> Self {
        match self {
            Self::Applied { new, old } => Self::Applied {
                new: Arc::clone(new),
                old: old.clone(),
            },
            Self::Deleted(old) => Self::Deleted(Arc::clone(old)),
        }
    }
}

impl<K> Change<K> {
    pub(super) fn created(new: Arc<K>) -> Self {
        Self::Applied { new, old: None }
    }
}
