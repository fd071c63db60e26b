//! How far the first list of a store is.
//!
//! A store that is still listing will be synced soon, so everybody can wait for it. A store whose kind the API server does not serve, or
//! whose role may not list it, stays empty until somebody acts: the manager must not hold back controllers that do not use it.

use std::{fmt, future::pending};

use tokio::sync::watch;

/// Progress of a store's first list. It does not change after `Synced`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum SyncState {
    /// The list is under way, or failed for a reason that passes.
    Listing,
    /// The API server answers 404: the CRD is not installed.
    NotServed,
    /// The API server answers 403: the role lacks `list` or `watch`.
    Forbidden,
    /// All objects have been listed once.
    Synced,
}

/// Follows the [`SyncState`] of one store.
pub(crate) type SyncStates = watch::Receiver<SyncState>;

impl SyncState {
    /// The state that an HTTP status of a failed list leads to, if it is more than a passing failure.
    pub(super) fn after_failure(code: Option<u16>) -> Option<Self> {
        match code {
            Some(403) => Some(Self::Forbidden),
            Some(404) => Some(Self::NotServed),
            _ => None,
        }
    }

    fn is_listing(self) -> bool {
        self == Self::Listing
    }
}

/// Why objects are missing, for people.
impl fmt::Display for SyncState {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Listing => "listing",
            Self::NotServed => "CRD not installed",
            Self::Forbidden => "list or watch forbidden",
            Self::Synced => "synced",
        })
    }
}

/// Waits until a store is synced.
pub(crate) async fn wait_until_synced(mut states: SyncStates) {
    until(&mut states, |state| state == SyncState::Synced).await;
}

/// Waits until a store is synced, or known to be unavailable.
pub(crate) async fn wait_until_synced_or_unavailable(mut states: SyncStates) {
    until(&mut states, |state| !state.is_listing()).await;
}

async fn until(states: &mut SyncStates, reached: impl Fn(SyncState) -> bool) {
    if states.wait_for(|state| reached(*state)).await.is_err() {
        // The store and its watch are gone: it never changes again.
        pending::<()>().await;
    }
}
