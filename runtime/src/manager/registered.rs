//! What will run: stores with their watches, and controllers.

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

/// How long a watch may take after its response has begun to say that its version is too old.
const SETTLED: Duration = Duration::from_millis(250);

/// A part of the operator, by the name that an error gives it.
pub(super) type Named = (String, BoxFuture<'static, ()>);

/// What was registered, until the manager runs.
#[derive(Default)]
pub(super) struct Registered {
    /// The shared stores, by the type of their objects.
    stores: HashMap<TypeId, Box<dyn Any + Send>>,
    pub(super) watches: Vec<Named>,
    pub(super) controllers: Vec<Named>,
    /// Every store: its kind, and how far its first list is.
    synced: Vec<(String, SyncStates)>,
    /// The stores that some controller names.
    pub(super) named: Vec<SyncStates>,
    reconnected: Vec<(SyncStates, Reconnected)>,
}

impl Registered {
    /// The shared store of a kind.
    pub(super) fn shared<K: CachedResource>(&self) -> Option<Store<K>> {
        let store = self.stores.get(&TypeId::of::<K>())?;
        store.downcast_ref().cloned()
    }

    pub(super) fn share<K: CachedResource>(&mut self, store: &Store<K>) {
        self.stores
            .insert(TypeId::of::<K>(), Box::new(store.clone()));
    }

    /// Adds a store to those that readiness and controllers wait for.
    pub(super) fn add_store<K: CachedResource>(
        &mut self,
        store: &Store<K>,
        reconnected: Reconnected,
    ) {
        let kind = K::kind(&()).into_owned();
        self.synced.push((kind, store.sync_states()));
        self.reconnected.push((store.sync_states(), reconnected));
    }

    /// Waits until controllers may start: each store is synced, or is unavailable and named by a controller.
    ///
    /// A controller waits for the stores that it names by itself. What its context holds is not known here, so all controllers wait for
    /// stores that nobody names, and for those that are only slow.
    pub(super) fn awaited(&self) -> impl Future<Output = ()> + Send + use<> {
        let stores = self.synced.iter().map(|(_, states)| {
            let named = self.named.iter().any(|named| named.same_channel(states));
            let states = states.clone();
            async move {
                if named {
                    wait_until_synced_or_unavailable(states).await;
                } else {
                    wait_until_synced(states).await;
                }
            }
        });
        join_all(stores.collect::<Vec<_>>()).map(drop)
    }

    /// Waits until the watch of each synced store was answered since it had to connect anew. A store that cannot be listed is filled later, and then
    /// from a new connection.
    pub(super) fn reconnected(&self) -> impl Future<Output = ()> + Send + use<> {
        let mut stores = self.reconnected.clone();
        let is_synced = |states: &SyncStates| *states.borrow() == SyncState::Synced;
        let all = |watches: &Vec<bool>| watches.iter().all(|answered| *answered);
        async move {
            loop {
                stores.retain(|(states, _)| is_synced(states));
                for (_, reconnected) in &mut stores {
                    // An error means that the watch is gone, and with it the manager.
                    let _ = reconnected.wait_for(all).await;
                }
                sleep(SETTLED).await;
                if stores
                    .iter()
                    .all(|(_, reconnected)| all(&reconnected.borrow()))
                {
                    return;
                }
            }
        }
    }

    /// Whether all stores are synced; an error names those that are not.
    pub(super) fn ready(&self) -> Result<(), String> {
        let missing = |(kind, states): &(String, SyncStates)| match *states.borrow() {
            SyncState::Synced => None,
            SyncState::Listing => Some(kind.clone()),
            unavailable => Some(format!("{kind} ({unavailable})")),
        };
        let missing: Vec<_> = self.synced.iter().filter_map(missing).collect();
        if missing.is_empty() {
            Ok(())
        } else {
            Err(format!("not listed yet: {}", missing.join(", ")))
        }
    }
}
