//! From the events of watches to one cache.
//!
//! Every namespace has a watch of its own. Until all of them have listed once, objects are gathered, so that the cache appears as a
//! whole. Later a list is told as the difference: what is new or changed, and what vanished while the watch was down. Nothing here talks
//! to an API server.

use std::collections::{HashMap, HashSet};

use kube::runtime::{reflector::ObjectRef, watcher::Event};
use tracing::{info, warn};

use super::{
    Kind, ObjectName,
    cache::CacheWriter,
    guard::{Guard, Unreadable},
    managed_fields,
};

/// What the events of all watches of a store go through.
pub(crate) struct Feed<K: Kind> {
    cache: CacheWriter<K>,
    sources: Vec<Source<K>>,
    /// What is listed so far, until all have listed once.
    gathered: Option<HashMap<ObjectRef<K>, K>>,
    /// The objects that do not fit their type, by the version that was complained about.
    unreadable: HashMap<ObjectRef<K>, Option<String>>,
    keep_managed_fields_of: Option<String>,
}

/// One watch.
struct Source<K: Kind> {
    /// All if there is none.
    namespace: Option<String>,
    /// It has listed all its objects once.
    listed: bool,
    /// What the list that is under way has named so far.
    seen: HashSet<ObjectRef<K>>,
}

impl<K: Kind> Feed<K> {
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
                self.sources[source].seen.insert(key(&object));
                self.put(object);
            }
            Event::InitDone => self.listed(source),
            Event::Apply(object) => self.put(object),
            Event::Delete(object) => self.remove(&key(&object)),
        }
        self.cache.count_unreadable(self.unreadable.len());
    }

    fn put(&mut self, object: Guard<K>) {
        let key = key(&object);
        match object {
            Guard::Readable(mut object) => {
                if self.unreadable.remove(&key).is_some() {
                    info!(kind = %K::kind(&()), object = %ObjectName(&key), "the object fits its type again");
                }
                managed_fields::trim(object.meta_mut(), self.keep_managed_fields_of.as_deref());
                match &mut self.gathered {
                    Some(gathered) => drop(gathered.insert(key, object)),
                    None => self.cache.put(object),
                }
            }
            Guard::Unreadable(unreadable) => self.leave_out(key, unreadable),
        }
    }

    /// An object that cannot be read is not in the cache: what it was before is no longer true, and must not be acted on.
    fn leave_out(&mut self, key: ObjectRef<K>, unreadable: Unreadable) {
        let version = unreadable.metadata.resource_version;
        if self.unreadable.get(&key) != Some(&version) {
            warn!(
                kind = %K::kind(&()), object = %ObjectName(&key), error = %unreadable.error,
                "the object does not fit its type, and is left out until it is changed"
            );
        }
        self.uncache(&key);
        self.unreadable.insert(key, version);
    }

    fn remove(&mut self, key: &ObjectRef<K>) {
        self.unreadable.remove(key);
        self.uncache(key);
    }

    fn uncache(&mut self, key: &ObjectRef<K>) {
        match &mut self.gathered {
            Some(gathered) => drop(gathered.remove(key)),
            None => self.cache.remove(key),
        }
    }

    /// A list is complete: what it did not name is gone.
    fn listed(&mut self, source: usize) {
        let source = &mut self.sources[source];
        source.listed = true;
        let seen = std::mem::take(&mut source.seen);
        let namespace = source.namespace.clone();
        let vanished = |key: &ObjectRef<K>| {
            (namespace.is_none() || key.namespace == namespace) && !seen.contains(key)
        };

        let mut gone: Vec<_> = self.unreadable.keys().cloned().collect();
        if let Some(gathered) = &self.gathered {
            gone.extend(gathered.keys().cloned());
        } else {
            let state = self.cache.reader().state();
            gone.extend(state.iter().map(|object| ObjectRef::from_obj(&**object)));
        }
        gone.retain(vanished);
        for key in gone {
            self.remove(&key);
        }

        if self.sources.iter().all(|source| source.listed)
            && let Some(gathered) = self.gathered.take()
        {
            self.cache.fill(gathered.into_values());
        }
    }
}

fn key<K: Kind>(object: &Guard<K>) -> ObjectRef<K> {
    ObjectRef::from_obj(object).into_kind_unchecked(())
}
