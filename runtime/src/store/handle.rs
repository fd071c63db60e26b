//! The handle that readers hold.

use std::{fmt, sync::Arc};

use futures::{Stream, StreamExt};
use kube::{
    Api,
    runtime::{reflector::ObjectRef, watcher},
};
use serde::Serialize;

use super::{
    CachedResource, Change, Index, ObjectKey, Reflector, SyncStates, cache::Cache, feed::Feed,
    guard::Guard, wait_until_synced,
};
use crate::metrics::StoreMetrics;

/// How a store is filled.
#[derive(Debug, Clone, Default)]
pub struct Config {
    /// Which objects, and how they are listed and watched.
    pub watch: watcher::Config,
    /// The field manager whose applies are kept in `metadata.managedFields`, as text. All other entries are dropped: of a Deployment with two
    /// managers they are two thirds of the memory.
    pub keep_managed_fields_of: Option<String>,
    /// Where the store counts.
    pub metrics: StoreMetrics,
}

/// A cache of all objects of one kind. Clones are handles of one cache.
///
/// It may be a moment behind the cluster. What is found at the same time fits together: an index names exactly the objects that are there.
///
/// Objects are held as the text that the API server sent, which is a third of their size in memory. Those that were used last, about a hundred,
/// are at hand; others are read from their text, which takes some microseconds for each. So ask an [`Index`] for those that you need, rather
/// than look through all.
#[derive(Clone)]
pub struct Store<K: CachedResource> {
    cache: Arc<Cache<K>>,
}

impl<K: CachedResource> Store<K> {
    /// An empty store, and the watch that fills it when it is run. For several namespaces there is one `Api` each, and none twice.
    ///
    /// # Panics
    ///
    /// If there is no `Api` to watch: the store would never be synced.
    pub fn new(apis: Vec<Api<K>>, config: Config) -> (Self, Reflector<K>) {
        assert!(
            !apis.is_empty(),
            "a store of {} needs an `Api` to watch",
            K::kind(&())
        );
        let namespaces = apis.iter().map(|api| api.namespace().map(String::from));
        let watch = config.watch.clone();
        let (store, feed) = Self::fed_with(namespaces, config);
        (store, Reflector::new(apis, watch, feed))
    }

    /// A store that is filled by events of whatever origin.
    pub(crate) fn fed(
        namespaces: impl IntoIterator<Item = Option<String>>,
        keep_managed_fields_of: Option<String>,
    ) -> (Self, Feed<K>) {
        let config = Config {
            keep_managed_fields_of,
            ..Config::default()
        };
        Self::fed_with(namespaces, config)
    }

    /// The same with the whole config but those of the watch.
    pub(super) fn fed_with(
        namespaces: impl IntoIterator<Item = Option<String>>,
        config: Config,
    ) -> (Self, Feed<K>) {
        let (cache, writer) = Cache::new(config.metrics);
        let feed = Feed::new(writer, namespaces, config.keep_managed_fields_of);
        (Self { cache }, feed)
    }

    /// The object of this name. The namespace of a kind that is in none is ignored.
    pub fn get(&self, namespace: Option<&str>, name: &str) -> Option<Arc<K>> {
        let found = self.cache.get(ObjectKey::new(namespace, name).as_str());
        // A kind that is in no namespace.
        found.or_else(|| self.cache.get(name))
    }

    /// The object of a name.
    pub(crate) fn find(&self, name: &ObjectKey) -> Option<Arc<K>> {
        self.cache.get(name.as_str())
    }

    /// The name of the object that is referred to, if it is there. Owner references and mappers may name a namespace for a kind that is in
    /// none.
    pub(crate) fn named(&self, reference: &ObjectRef<K>) -> Option<ObjectKey> {
        let found = self.cache.named(ObjectKey::from(reference).as_str());
        found.or_else(|| self.cache.named(&reference.name))
    }

    /// All objects, in no particular order. They are read from their text, all of them.
    pub fn list(&self) -> Vec<Arc<K>> {
        self.cache.list()
    }

    /// All objects that name this UID in their owner references.
    pub fn owned_by(&self, uid: &str) -> Vec<Arc<K>> {
        self.cache.owned_by(uid)
    }

    /// An index of objects by the keys that a function gives for each: none, one or several.
    ///
    /// The function looks at the object alone: it gives the same for the same object, and reads no store. If it panics, that object
    /// is missing in the index; the panic is logged and counted in `kb_store_index_panics_total`. An index of this name that is
    /// there already is shared, so name it after what it finds objects by. It may be made at any time.
    pub fn index(
        &self,
        name: impl Into<String>,
        keys: impl Fn(&K) -> Vec<String> + Send + Sync + 'static,
    ) -> Index<K> {
        let position = self.cache.index(name.into(), Box::new(keys));
        Index::new(Arc::clone(&self.cache), position)
    }

    /// An index of objects by the value of a label.
    pub fn label_index(&self, label: &str) -> Index<K> {
        let key = label.to_owned();
        self.index(format!("label {label}"), move |object: &K| {
            let labels = object.meta().labels.as_ref();
            let value = labels.and_then(|labels| labels.get(&key)).cloned();
            value.into_iter().collect()
        })
    }

    /// All that is there, and then every change. Read it: changes wait in memory for those who listen, as they do in client-go.
    pub fn subscribe(&self) -> impl Stream<Item = Change<K>> + Send + Unpin + use<K> {
        self.cache.subscribe()
    }

    /// Every change from now on.
    pub(crate) fn changes(&self) -> impl Stream<Item = Change<K>> + Send + Unpin + use<K> {
        self.cache.changes().map(|(_, change)| change)
    }

    /// The names of all that is there, and every change from now on.
    pub(crate) fn names_and_changes(
        &self,
    ) -> (
        Vec<ObjectKey>,
        impl Stream<Item = (ObjectKey, Change<K>)> + Send + Unpin + use<K>,
    ) {
        self.cache.names_and_changes()
    }

    /// Whether all objects have been listed once.
    pub fn is_synced(&self) -> bool {
        self.cache.is_synced()
    }

    /// Waits until all objects have been listed once. That is never, if the [`Reflector`] is not run.
    pub async fn wait_until_synced(&self) {
        wait_until_synced(self.cache.sync_states()).await;
    }

    /// How far the first list is. Two handles of one store follow the same channel.
    pub(crate) fn sync_states(&self) -> SyncStates {
        self.cache.sync_states()
    }

    /// How many objects are there.
    pub fn len(&self) -> usize {
        self.cache.len()
    }

    /// Whether no object is there.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// How many objects of the cluster are left out, because they do not fit their type. It is known once all have been listed.
    pub fn invalid_objects(&self) -> usize {
        self.cache.unreadable()
    }
}

/// No objects, and none to come: for tests of what reads a store.
impl<K: CachedResource> Default for Store<K> {
    fn default() -> Self {
        let (store, mut feed) = Self::fed([None], None);
        feed.take(0, watcher::Event::Init);
        feed.take(0, watcher::Event::InitDone);
        store
    }
}

/// These objects, and no others to come: for tests of what reads a store.
///
/// # Panics
///
/// If an object cannot be written as JSON, or not be read again.
impl<K: CachedResource + Serialize> FromIterator<K> for Store<K> {
    fn from_iter<I: IntoIterator<Item = K>>(objects: I) -> Self {
        let (store, mut feed) = Self::fed([None], None);
        feed.take(0, watcher::Event::Init);
        for object in objects {
            let object = Guard::of(&object).expect("an object is JSON");
            feed.take(0, watcher::Event::InitApply(object));
        }
        feed.take(0, watcher::Event::InitDone);
        assert_eq!(
            store.invalid_objects(),
            0,
            "an object can be read as it is written"
        );
        store
    }
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
