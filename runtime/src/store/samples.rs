//! Stores, objects and a log capture for unit tests.

use std::{
    io,
    sync::{Arc, LazyLock, Mutex},
};

use k8s_openapi::{
    NamespaceResourceScope,
    apimachinery::pkg::apis::meta::v1::{ObjectMeta, OwnerReference},
};
use kube::{Resource, runtime::watcher::Event};
use tracing::{Dispatch, Level, subscriber::DefaultGuard};

use serde::Serialize;
use serde_json::json;

use super::{CachedResource, Config, Store, event_handler::EventHandler, raw_object::RawObject};

/// Creates a synced store of all namespaces, and its event handler.
pub(crate) fn synced<K: CachedResource + Serialize>(
    objects: impl IntoIterator<Item = K>,
) -> (Store<K>, EventHandler<K>) {
    let (store, mut handler) = unsynced();
    list(&mut handler, objects);
    (store, handler)
}

/// Creates a store that has not listed yet, and its event handler.
pub(crate) fn unsynced<K: CachedResource>() -> (Store<K>, EventHandler<K>) {
    Store::with_handler([None], Config::default())
}

/// Handles a complete list.
pub(crate) fn list<K: CachedResource + Serialize>(
    handler: &mut EventHandler<K>,
    objects: impl IntoIterator<Item = K>,
) {
    handler.handle(0, Event::Init);
    for object in objects {
        handler.handle(0, Event::InitApply(valid(&object)));
    }
    handler.handle(0, Event::InitDone);
}

/// Handles the creation or update of an object.
pub(crate) fn apply<K: CachedResource + Serialize>(handler: &mut EventHandler<K>, object: &K) {
    handler.handle(0, Event::Apply(valid(object)));
}

/// Handles the deletion of an object.
pub(crate) fn delete<K: CachedResource + Serialize>(handler: &mut EventHandler<K>, object: &K) {
    handler.handle(0, Event::Delete(valid(object)));
}

/// Handles an update to an object that fails to deserialize.
pub(crate) fn apply_invalid<K: CachedResource + Serialize>(
    handler: &mut EventHandler<K>,
    object: &K,
) {
    handler.handle(0, Event::Apply(invalid(object)));
}

pub(super) fn valid<K: CachedResource + Serialize>(object: &K) -> RawObject<K> {
    RawObject::from_object(object).unwrap()
}

/// Returns the object with labels of the wrong type.
pub(super) fn invalid<K: CachedResource + Serialize>(object: &K) -> RawObject<K> {
    let mut object = serde_json::to_value(object).unwrap();
    object["metadata"]["labels"] = json!("invalid");
    RawObject::from_object(&object).unwrap()
}

/// Creates an object in the namespace `shop`. Its UID is derived from its name.
pub(crate) fn object<K>(name: &str, version: u32) -> K
where
    K: CachedResource + Default + Resource<Scope = NamespaceResourceScope>,
{
    let mut object = cluster_object::<K>(name, version);
    object.meta_mut().namespace = Some("shop".into());
    object
}

/// Creates a cluster-scoped object. Its UID is derived from its name.
pub(crate) fn cluster_object<K: CachedResource + Default>(name: &str, version: u32) -> K {
    let mut object = K::default();
    *object.meta_mut() = ObjectMeta {
        name: Some(name.into()),
        uid: Some(format!("uid-of-{name}")),
        resource_version: Some(version.to_string()),
        ..ObjectMeta::default()
    };
    object
}

/// Adds an owner reference to a child.
pub(crate) fn owned_by<C: CachedResource, K: CachedResource>(mut child: C, owner: &K) -> C {
    let meta = owner.meta();
    let reference = OwnerReference {
        api_version: K::api_version(&()).into_owned(),
        kind: K::kind(&()).into_owned(),
        name: meta.name.clone().unwrap(),
        uid: meta.uid.clone().unwrap(),
        ..OwnerReference::default()
    };
    child.meta_mut().owner_references = Some(vec![reference]);
    child
}

/// Captures the log of this thread until it is dropped.
pub(crate) struct Log {
    text: LogText,
    _until_dropped: DefaultGuard,
}

impl Log {
    pub(crate) fn begin() -> Self {
        LazyLock::force(&SECOND_SUBSCRIBER);
        let text = LogText::default();
        let writer = text.clone();
        let subscriber = tracing_subscriber::fmt()
            .with_max_level(Level::INFO)
            .with_ansi(false)
            .with_writer(move || writer.clone());
        Self {
            text,
            _until_dropped: tracing::subscriber::set_default(subscriber.finish()),
        }
    }

    /// Returns the lines logged so far that contain a text.
    pub(crate) fn lines(&self, containing: &str) -> Vec<String> {
        let text = String::from_utf8(self.text.0.lock().unwrap().clone()).unwrap();
        let lines = text.lines().filter(|line| line.contains(containing));
        lines.map(String::from).collect()
    }
}

/// With a single subscriber, tracing caches whether a callsite is enabled for the thread that reaches it first, and uses the answer for
/// all threads. A second subscriber disables that cache.
static SECOND_SUBSCRIBER: LazyLock<Dispatch> =
    LazyLock::new(|| Dispatch::new(tracing_subscriber::registry()));

#[derive(Clone, Default)]
struct LogText(Arc<Mutex<Vec<u8>>>);

impl io::Write for LogText {
    fn write(&mut self, text: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap().write(text)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
