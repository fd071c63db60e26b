//! The handle through which controllers read a cache.

use std::{fmt, sync::Arc};

use futures::{Stream, StreamExt};
use kube::{
    Api,
    runtime::{
        reflector::ObjectRef,
        watcher::{self, Event},
    },
};
use serde::Serialize;

use super::{
    CachedResource, Change, Index, ObjectKey, Reflector, SyncStates, cache::Cache,
    event_handler::EventHandler, raw_object::RawObject, wait_until_synced,
};
use crate::metrics::StoreMetrics;

/// Configuration of a [`Store`].
#[derive(Debug, Clone, Default)]
pub struct Config {
    /// Selectors, page size and timeouts of the watch.
    pub watch: watcher::Config,
    /// Field manager whose applied fields are kept in `metadata.managedFields`. All other entries are dropped: with two field managers
    /// they are two thirds of a Deployment.
    ///
    /// Set it to the field manager of [`Objects`](crate::objects::Objects), which otherwise needs a request for every new version of an
    /// object. A [`Manager`](crate::Manager) sets it by default.
    pub keep_managed_fields_of: Option<String>,
    /// Metrics of the store, see [`Metrics::store`](crate::metrics::Metrics::store).
    pub metrics: StoreMetrics,
}

/// A cache of all objects of a resource, updated by a [`Reflector`]. Clones share the cache.
///
/// Reads are local and may lag behind the API server. Objects and indexes are consistent with each other.
///
/// Objects are cached as JSON, which takes a third of the memory. At least the 64 most recently used objects are kept deserialized; others
/// are deserialized on access, which takes some microseconds each. So prefer [`get`](Self::get) and an [`Index`] over
/// [`list`](Self::list).
#[derive(Clone)]
pub struct Store<K: CachedResource> {
    cache: Arc<Cache<K>>,
}

impl<K: CachedResource> Store<K> {
    /// Creates an empty store and the reflector that updates it. Pass one `Api` per namespace, or a single `Api::all`.
    ///
    /// [`Manager::store`](crate::Manager::store) creates the store and runs the reflector.
    ///
    /// # Panics
    ///
    /// Panics if `apis` is empty.
    pub fn new(apis: Vec<Api<K>>, config: Config) -> (Self, Reflector<K>) {
        assert!(
            !apis.is_empty(),
            "a store of {} requires at least one `Api`",
            K::kind(&())
        );
        let namespaces = apis.iter().map(|api| api.namespace().map(String::from));
        let watch = config.watch.clone();
        let (store, handler) = Self::with_handler(namespaces, config);
        (store, Reflector::new(apis, watch, handler))
    }

    /// Creates a store and the handler of its watch events, with one watch per namespace.
    pub(crate) fn with_handler(
        namespaces: impl IntoIterator<Item = Option<String>>,
        config: Config,
    ) -> (Self, EventHandler<K>) {
        let (cache, writer) = Cache::new(config.metrics);
        let handler = EventHandler::new(writer, namespaces, config.keep_managed_fields_of);
        (Self { cache }, handler)
    }

    /// Returns an object by namespace and name. The namespace is ignored for cluster-scoped resources.
    pub fn get(&self, namespace: Option<&str>, name: &str) -> Option<Arc<K>> {
        self.get_by_key(&ObjectKey::scoped::<K>(namespace, name))
    }

    pub(crate) fn get_by_key(&self, key: &ObjectKey) -> Option<Arc<K>> {
        self.cache.get(key.as_str())
    }

    /// Returns the key of a cached object.
    pub(crate) fn key_of(&self, reference: &ObjectRef<K>) -> Option<ObjectKey> {
        self.cache.key(ObjectKey::from(reference).as_str())
    }

    /// Returns all objects, in arbitrary order. Deserializes every object.
    pub fn list(&self) -> Vec<Arc<K>> {
        self.cache.list()
    }

    /// Returns all objects with an owner reference to this UID.
    pub fn owned_by(&self, uid: &str) -> Vec<Arc<K>> {
        self.cache.owned_by(uid)
    }

    /// Returns an index of objects by the values that `index_fn` returns for each of them, creating it if no index with this name exists.
    ///
    /// Like an indexer in client-go. `index_fn` must be a pure function of the object and must not read stores. If it panics, that
    /// object is missing from the index; the panic is logged and counted in `kb_store_index_panics_total`.
    ///
    /// ```
    /// use kb::k8s_openapi::api::core::v1::Pod;
    /// use kb::store::{Index, Store};
    ///
    /// fn pods_by_node(pods: &Store<Pod>) -> Index<Pod> {
    ///     pods.index("spec.nodeName", |pod: &Pod| {
    ///         let node = pod.spec.as_ref().and_then(|spec| spec.node_name.clone());
    ///         node.into_iter().collect()
    ///     })
    /// }
    ///
    /// assert!(pods_by_node(&Store::default()).get("node-1").is_empty());
    /// ```
    pub fn index(
        &self,
        name: impl Into<String>,
        index_fn: impl Fn(&K) -> Vec<String> + Send + Sync + 'static,
    ) -> Index<K> {
        let position = self.cache.index(name.into(), Box::new(index_fn));
        Index::new(Arc::clone(&self.cache), position)
    }

    /// Returns an index of objects by the value of a label.
    pub fn label_index(&self, label: &str) -> Index<K> {
        let key = label.to_owned();
        self.index(format!("label {label}"), move |object: &K| {
            let labels = object.meta().labels.as_ref();
            let value = labels.and_then(|labels| labels.get(&key)).cloned();
            value.into_iter().collect()
        })
    }

    /// Subscribes to changes: yields every cached object as [`Change::Applied`], followed by future changes.
    ///
    /// Changes are queued without limit, like in client-go. Drop the stream to unsubscribe.
    pub fn subscribe(&self) -> impl Stream<Item = Change<K>> + Send + Unpin + use<K> {
        self.cache.subscribe()
    }

    /// Subscribes to future changes.
    pub(crate) fn changes(&self) -> impl Stream<Item = Change<K>> + Send + Unpin + use<K> {
        self.cache.changes().map(|(_, change)| change)
    }

    /// Returns the keys of all cached objects and subscribes to future changes.
    pub(crate) fn keys_and_changes(
        &self,
    ) -> (
        Vec<ObjectKey>,
        impl Stream<Item = (ObjectKey, Change<K>)> + Send + Unpin + use<K>,
    ) {
        self.cache.keys_and_changes()
    }

    /// Returns whether the initial list is complete.
    pub fn is_synced(&self) -> bool {
        self.cache.is_synced()
    }

    /// Waits until the initial list is complete. Never returns if the [`Reflector`] is not running.
    pub async fn wait_until_synced(&self) {
        wait_until_synced(self.sync_states()).await;
    }

    pub(crate) fn sync_states(&self) -> SyncStates {
        self.cache.sync_states()
    }

    /// Returns the number of cached objects.
    pub fn len(&self) -> usize {
        self.cache.len()
    }

    /// Returns whether the cache is empty.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the number of objects that are missing from the cache because they failed to deserialize. Zero until the store is synced.
    pub fn invalid_objects(&self) -> usize {
        self.cache.invalid_objects()
    }
}

/// A synced, empty store for unit tests.
impl<K: CachedResource> Default for Store<K> {
    fn default() -> Self {
        with_objects([])
    }
}

/// A synced store with these objects, for unit tests.
///
/// # Panics
///
/// Panics if an object does not survive a round trip through JSON.
impl<K: CachedResource + Serialize> FromIterator<K> for Store<K> {
    fn from_iter<I: IntoIterator<Item = K>>(objects: I) -> Self {
        let objects = objects.into_iter().map(|object| {
            RawObject::from_object(&object).expect("objects can be serialized as JSON")
        });
        let store = with_objects(objects);
        assert_eq!(
            store.invalid_objects(),
            0,
            "objects can be deserialized from their JSON"
        );
        store
    }
}

fn with_objects<K: CachedResource>(objects: impl IntoIterator<Item = RawObject<K>>) -> Store<K> {
    let (store, mut handler) = Store::with_handler([None], Config::default());
    handler.handle(0, Event::Init);
    for object in objects {
        handler.handle(0, Event::InitApply(object));
    }
    handler.handle(0, Event::InitDone);
    store
}

impl<K: CachedResource> fmt::Debug for Store<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Store")
            .field("kind", &K::kind(&()))
            .field("objects", &self.len())
            .field("synced", &self.is_synced())
            .finish_non_exhaustive()
    }
}
