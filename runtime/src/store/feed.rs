//! From the events of watches to one cache.
//!
//! Every namespace has a watch of its own. Until all of them have listed once, objects are gathered, so that the cache appears as a
//! whole. Later a list is told as the difference: what is new or changed, and what vanished while the watch was down. Nothing here talks
//! to an API server.

use std::sync::Arc;

use foldhash::{HashMap, HashMapExt, HashSet, HashSetExt};
use kube::{Resource, runtime::watcher::Event};
use tracing::{info, warn};

use super::{
    CachedResource, ObjectKey, SyncState,
    cache::CacheWriter,
    guard::{Guard, read},
    packed::Bare,
};

/// What the events of all watches of a store go through.
pub(crate) struct Feed<K: CachedResource> {
    cache: CacheWriter<K>,
    sources: Vec<Source>,
    /// What is listed so far, until all have listed once.
    gathered: Option<HashMap<ObjectKey, Arc<str>>>,
    /// The objects that do not fit their type, by the version that was complained about.
    unreadable: HashMap<ObjectKey, Option<String>>,
    keep_managed_fields_of: Option<String>,
}

/// One watch.
struct Source {
    /// All if there is none.
    namespace: Option<String>,
    /// It has listed all its objects once.
    listed: bool,
    /// What the list that is under way has named so far.
    seen: HashSet<ObjectKey>,
}

impl<K: CachedResource> Feed<K> {
    /// A feed of one watch for each of these namespaces.
    pub(super) fn new(
        cache: CacheWriter<K>,
        namespaces: impl IntoIterator<Item = Option<String>>,
        keep_managed_fields_of: Option<String>,
    ) -> Self {
        let source = |namespace| Source {
            namespace,
            listed: false,
            seen: HashSet::new(),
        };
        Self {
            cache,
            sources: namespaces.into_iter().map(source).collect(),
            gathered: Some(HashMap::new()),
            unreadable: HashMap::new(),
            keep_managed_fields_of,
        }
    }

    /// Takes in what a watch says.
    pub(crate) fn take(&mut self, source: usize, event: Event<Guard<K>>) {
        match event {
            Event::Init => self.sources[source].seen.clear(),
            Event::InitApply(object) => {
                let name = ObjectKey::of(object.meta());
                self.sources[source].seen.insert(name.clone());
                self.put(name, object);
            }
            Event::InitDone => self.listed(source),
            Event::Apply(object) => self.put(ObjectKey::of(object.meta()), object),
            Event::Delete(object) => self.remove(&ObjectKey::of(object.meta())),
        }
        self.cache.count_unreadable(self.unreadable.len());
    }

    /// A watch cannot list, for a reason that does not pass by itself.
    pub(super) fn unavailable(&self, reason: SyncState) {
        self.cache.unavailable(reason);
    }

    fn put(&mut self, name: ObjectKey, mut object: Guard<K>) {
        let version = object.meta_mut().resource_version.take();
        let text = match object.pack(self.keep_managed_fields_of.as_deref()) {
            Ok(text) => text,
            Err(error) => return self.leave_out(name, version, &error),
        };
        if let Some(gathered) = &mut self.gathered {
            // It is read when all are there, and only once.
            self.unreadable.remove(&name);
            gathered.insert(name, text.into());
            return;
        }
        match read(&text) {
            Ok(object) => {
                if self.unreadable.remove(&name).is_some() {
                    info!(kind = %K::kind(&()), object = %name, "the object fits its type again");
                }
                self.cache.put(name, object, &text);
            }
            Err(error) => self.leave_out(name, version, &error),
        }
    }

    /// An object that cannot be read is not in the cache: what it was before is no longer true, and must not be acted on.
    fn leave_out(&mut self, name: ObjectKey, version: Option<String>, error: &str) {
        if self.unreadable.get(&name) != Some(&version) {
            warn!(
                kind = %K::kind(&()), object = %name, error,
                "the object does not fit its type, and is left out until it is changed"
            );
        }
        self.uncache(&name);
        self.unreadable.insert(name, version);
    }

    fn remove(&mut self, name: &ObjectKey) {
        self.unreadable.remove(name);
        self.uncache(name);
    }

    fn uncache(&mut self, name: &ObjectKey) {
        match &mut self.gathered {
            Some(gathered) => drop(gathered.remove(name)),
            None => self.cache.remove(name),
        }
    }

    /// A list is complete: what it did not name is gone.
    fn listed(&mut self, source: usize) {
        let source = &mut self.sources[source];
        source.listed = true;
        let seen = std::mem::take(&mut source.seen);
        let namespace = source.namespace.clone();
        let vanished = |name: &ObjectKey| {
            let inside = namespace.is_none() || name.namespace() == namespace.as_deref();
            inside && !seen.contains(name)
        };

        let mut gone: Vec<_> = self.unreadable.keys().cloned().collect();
        match &self.gathered {
            Some(gathered) => gone.extend(gathered.keys().cloned()),
            None => gone.extend(self.cache.names()),
        }
        gone.retain(vanished);
        for name in gone {
            self.remove(&name);
        }

        if self.sources.iter().all(|source| source.listed)
            && let Some(gathered) = self.gathered.take()
        {
            for (name, text, error) in self.cache.fill(gathered) {
                self.leave_out(name, version(&text), &error);
            }
            self.cache.count_unreadable(self.unreadable.len());
            self.cache.synced();
        }
    }
}

/// The version of an object that does not fit its type.
fn version(text: &str) -> Option<String> {
    let bare: Bare = serde_json::from_str(text).ok()?;
    bare.identity.resource_version
}
