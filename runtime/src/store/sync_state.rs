//! State of a store's initial list.
//!
//! A store that is still listing will be synced soon, so all controllers wait for it. A store whose kind is not served or not allowed
//! stays empty until the cluster changes: the manager must not block controllers that do not use it.

use std::{fmt, future::pending};

use tokio::sync::watch;

/// State of a store's initial list. `Synced` is final.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum SyncState {
    /// The list is in progress or failed temporarily.
    Listing,
    /// The API server returned 404: the CRD is not installed.
    NotServed,
    /// The API server returned 403: the role lacks `list` or `watch`.
    Forbidden,
    /// The initial list is complete.
    Synced,
}

/// Receives the [`SyncState`] of a store.
pub(crate) type SyncStates = watch::Receiver<SyncState>;

impl SyncState {
    /// Returns the state after a failed list, or `None` for temporary failures.
    pub(super) fn after_failure(code: Option<u16>) -> Option<Self> {
        match code {
            Some(403) => Some(Self::Forbidden),
            Some(404) => Some(Self::NotServed),
            _ => None,
        }
    }
}

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
pub(crate) async fn wait_until_synced(states: SyncStates) {
    wait_for(states, |state| state == SyncState::Synced).await;
}

/// Waits until a store is synced or known to be unavailable.
pub(crate) async fn wait_until_synced_or_unavailable(states: SyncStates) {
    wait_for(states, |state| state != SyncState::Listing).await;
}

async fn wait_for(mut states: SyncStates, condition: impl Fn(SyncState) -> bool) {
    if states.wait_for(|state| condition(*state)).await.is_err() {
        // The store was dropped: its state never changes again.
        pending::<()>().await;
    }
}
