//! Stores for tests, filled by hand, and what is logged meanwhile.

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

use super::{CachedResource, Store, feed::Feed, guard::Guard};

/// A store of all namespaces that holds these objects, and what changes it.
pub(crate) fn synced<K: CachedResource + Serialize>(
    objects: impl IntoIterator<Item = K>,
) -> (Store<K>, Feed<K>) {
    let (store, mut feed) = Store::fed([None], None);
    list(&mut feed, objects);
    (store, feed)
}

/// A complete list.
pub(crate) fn list<K: CachedResource + Serialize>(
    feed: &mut Feed<K>,
    objects: impl IntoIterator<Item = K>,
) {
    feed.take(0, Event::Init);
    for object in objects {
        feed.take(0, Event::InitApply(readable(&object)));
    }
    feed.take(0, Event::InitDone);
}

/// An object is new or changed.
pub(crate) fn apply<K: CachedResource + Serialize>(feed: &mut Feed<K>, object: &K) {
    feed.take(0, Event::Apply(readable(object)));
}

/// An object is deleted.
pub(crate) fn delete<K: CachedResource + Serialize>(feed: &mut Feed<K>, object: &K) {
    feed.take(0, Event::Delete(readable(object)));
}

/// An object is changed to something that does not fit its type.
pub(crate) fn garble<K: CachedResource + Serialize>(feed: &mut Feed<K>, object: &K) {
    feed.take(0, Event::Apply(unreadable(object)));
}

/// An object as it is received.
pub(super) fn readable<K: CachedResource + Serialize>(object: &K) -> Guard<K> {
    Guard::of(object).unwrap()
}

/// The same, with labels that do not fit their type.
pub(super) fn unreadable<K: CachedResource + Serialize>(object: &K) -> Guard<K> {
    let mut object = serde_json::to_value(object).unwrap();
    object["metadata"]["labels"] = json!("garbled");
    Guard::of(&object).unwrap()
}

/// An object in the namespace `shop`, with a UID made of its name.
pub(crate) fn object<K>(name: &str, version: u32) -> K
where
    K: CachedResource + Default + Resource<Scope = NamespaceResourceScope>,
{
    let mut object = cluster_object::<K>(name, version);
    object.meta_mut().namespace = Some("shop".into());
    object
}

/// An object in no namespace, with a UID made of its name.
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

/// The same object, owned by another.
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

/// What is logged in this thread, until it is dropped.
pub(crate) struct Log {
    text: LogText,
    _until_dropped: DefaultGuard,
}

impl Log {
    pub(crate) fn begin() -> Self {
        LazyLock::force(&SECOND);
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

    /// All lines so far that contain a text.
    pub(crate) fn lines(&self, containing: &str) -> Vec<String> {
        let text = String::from_utf8(self.text.0.lock().unwrap().clone()).unwrap();
        let lines = text.lines().filter(|line| line.contains(containing));
        lines.map(String::from).collect()
    }
}

/// While there is one subscriber only, tracing asks that of the thread which comes first to a line of log whether anybody wants it, and
/// believes the answer for all threads. With two it asks all.
static SECOND: LazyLock<Dispatch> = LazyLock::new(|| Dispatch::new(tracing_subscriber::registry()));

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
