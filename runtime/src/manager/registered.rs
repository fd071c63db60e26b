//! What will run: stores with their watches, and controllers.

use std::{
    any::{Any, TypeId},
    collections::HashMap,
};

use futures::future::BoxFuture;

use crate::store::{Kind, Store};

/// A part of the operator, by the name that an error gives it.
pub(super) type Named = (String, BoxFuture<'static, ()>);

/// What was registered, until the manager runs.
#[derive(Default)]
pub(super) struct Registered {
    /// The shared stores, by the type of their objects.
    stores: HashMap<TypeId, Box<dyn Any + Send>>,
    pub(super) watches: Vec<Named>,
    pub(super) controllers: Vec<Named>,
    /// The kind of every store, and whether it is synced.
    synced: Vec<(String, Box<dyn Fn() -> bool + Send>)>,
    /// Ends when every store is.
    pub(super) awaited: Vec<BoxFuture<'static, ()>>,
}

impl Registered {
    /// The shared store of a kind.
    pub(super) fn shared<K: Kind>(&self) -> Option<Store<K>> {
        let store = self.stores.get(&TypeId::of::<K>())?;
        store.downcast_ref().cloned()
    }

    pub(super) fn share<K: Kind>(&mut self, store: &Store<K>) {
        self.stores
            .insert(TypeId::of::<K>(), Box::new(store.clone()));
    }

    /// Waits for this store before the operator is ready.
    pub(super) fn await_sync<K: Kind>(&mut self, store: &Store<K>) {
        let store = store.clone();
        let awaited = store.clone();
        self.awaited
            .push(Box::pin(async move { awaited.synced().await }));
        self.synced.push((
            K::kind(&()).into_owned(),
            Box::new(move || store.is_synced()),
        ));
    }

    /// Whether all stores are synced; an error names those that are not.
    pub(super) fn ready(&self) -> Result<(), String> {
        let missing: Vec<&str> = self
            .synced
            .iter()
            .filter(|(_, is_synced)| !is_synced())
            .map(|(kind, _)| kind.as_str())
            .collect();
        if missing.is_empty() {
            Ok(())
        } else {
            Err(format!("not listed yet: {}", missing.join(", ")))
        }
    }
}
