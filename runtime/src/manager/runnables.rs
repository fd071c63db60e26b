//! Stores and controllers registered with a manager.

use std::{
    any::{Any, TypeId},
    collections::HashMap,
    time::Duration,
};

use futures::{
    FutureExt,
    future::{BoxFuture, join_all},
};
use tokio::time::sleep;

use crate::store::{
    CachedResource, Reconnected, Store, SyncState, SyncStates, wait_until_synced,
    wait_until_synced_or_unavailable,
};

/// How long a watch may take after the start of its response to report an expired resource version.
const WATCH_SETTLE_TIME: Duration = Duration::from_millis(250);

/// Named future that runs until shutdown.
pub(super) type Runnable = (String, BoxFuture<'static, ()>);

/// Registered until the manager runs.
#[derive(Default)]
pub(super) struct Runnables {
    /// Shared stores by object type.
    stores: HashMap<TypeId, Box<dyn Any + Send>>,
    pub(super) watches: Vec<Runnable>,
    pub(super) controllers: Vec<Runnable>,
    /// Kind and sync states of every store.
    stores_by_kind: Vec<(String, SyncStates)>,
    /// Stores declared by a controller.
    pub(super) declared: Vec<SyncStates>,
    reconnected: Vec<(SyncStates, Reconnected)>,
}

impl Runnables {
    /// Returns the shared store of a kind.
    pub(super) fn shared<K: CachedResource>(&self) -> Option<Store<K>> {
        let store = self.stores.get(&TypeId::of::<K>())?;
        store.downcast_ref().cloned()
    }

    pub(super) fn share<K: CachedResource>(&mut self, store: &Store<K>) {
        self.stores
            .insert(TypeId::of::<K>(), Box::new(store.clone()));
    }

    /// Adds a store that readiness and controllers wait for.
    pub(super) fn add_store<K: CachedResource>(
        &mut self,
        store: &Store<K>,
        reconnected: Reconnected,
    ) {
        let kind = K::kind(&()).into_owned();
        self.stores_by_kind.push((kind, store.sync_states()));
        self.reconnected.push((store.sync_states(), reconnected));
    }

    /// Waits until controllers may start: each store is synced, or is unavailable and declared by a controller.
    ///
    /// A controller waits for the stores it declares itself. Which other stores its context holds is unknown, so all controllers wait for
    /// undeclared stores and for those that are only slow.
    pub(super) fn synced(&self) -> impl Future<Output = ()> + Send + use<> {
        let stores = self.stores_by_kind.iter().map(|(_, states)| {
            let is_declared = |declared: &SyncStates| declared.same_channel(states);
            let is_declared = self.declared.iter().any(is_declared);
            let states = states.clone();
            async move {
                if is_declared {
                    wait_until_synced_or_unavailable(states).await;
                } else {
                    wait_until_synced(states).await;
                }
            }
        });
        join_all(stores.collect::<Vec<_>>()).map(drop)
    }

    /// Waits until the watch of each synced store has received a response on a new connection. A store that cannot be listed is synced later,
    /// on a new connection anyway.
    pub(super) fn reconnected(&self) -> impl Future<Output = ()> + Send + use<> {
        let mut stores = self.reconnected.clone();
        let is_synced = |states: &SyncStates| *states.borrow() == SyncState::Synced;
        let all = |watches: &Vec<bool>| watches.iter().all(|reconnected| *reconnected);
        async move {
            loop {
                stores.retain(|(states, _)| is_synced(states));
                for (_, reconnected) in &mut stores {
                    // An error means that the watch is gone, and the manager with it.
                    let _ = reconnected.wait_for(all).await;
                }
                sleep(WATCH_SETTLE_TIME).await;
                if stores
                    .iter()
                    .all(|(_, reconnected)| all(&reconnected.borrow()))
                {
                    return;
                }
            }
        }
    }

    /// Returns whether all stores are synced; the error lists those that are not.
    pub(super) fn ready(&self) -> Result<(), String> {
        let missing = |(kind, states): &(String, SyncStates)| match *states.borrow() {
            SyncState::Synced => None,
            SyncState::Listing => Some(kind.clone()),
            unavailable => Some(format!("{kind} ({unavailable})")),
        };
        let missing: Vec<_> = self.stores_by_kind.iter().filter_map(missing).collect();
        if missing.is_empty() {
            Ok(())
        } else {
            Err(format!("caches not synced: {}", missing.join(", ")))
        }
    }
}
