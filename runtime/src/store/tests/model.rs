//! Random histories of a cluster: after every step the store, its indexes and its subscribers agree with a naive model.

use std::collections::{BTreeMap, BTreeSet};

use futures::{FutureExt, Stream, StreamExt};
use k8s_openapi::{
    api::core::v1::ConfigMap,
    apimachinery::pkg::apis::meta::v1::{ObjectMeta, OwnerReference},
};
use kube::{ResourceExt, runtime::watcher::Event};
use proptest::{collection::vec, prelude::*};

use crate::store::{
    Change, Config, Index, Store,
    event_handler::EventHandler,
    raw_object::RawObject,
    samples::{invalid, valid},
};

const NAMESPACES: [&str; 3] = ["a", "b", "c"];
const KEYS: [&str; 3] = ["x", "y", "z"];

/// Namespace and name of an object.
type Key = (usize, u8);

#[derive(Debug, Clone)]
enum Edit {
    Put {
        key: Key,
        owners: BTreeSet<usize>,
        label: usize,
        valid: bool,
    },
    Delete(Key),
}

#[derive(Debug, Clone)]
enum Step {
    /// An edit that the watch reports, if its namespace is listed.
    Watched(Edit),
    /// Edits while the watch is disconnected, and then a list. `broken` lists are interrupted and restarted.
    Relisted {
        namespace: usize,
        unseen: Vec<Edit>,
        broken: bool,
    },
}

fn edits() -> impl Strategy<Value = Edit> {
    let key = || (0..NAMESPACES.len(), 0..4_u8);
    let owners = proptest::collection::btree_set(0..KEYS.len(), 0..3);
    prop_oneof![
        3 => (key(), owners, 0..KEYS.len(), prop::bool::weighted(0.8))
            .prop_map(|(key, owners, label, valid)| Edit::Put { key, owners, label, valid }),
        1 => key().prop_map(Edit::Delete),
    ]
}

fn steps() -> impl Strategy<Value = Step> {
    prop_oneof![
        3 => edits().prop_map(Step::Watched),
        1 => (0..NAMESPACES.len(), vec(edits(), 0..6), any::<bool>())
            .prop_map(|(namespace, unseen, broken)| Step::Relisted { namespace, unseen, broken }),
    ]
}

/// The cluster, and the part of it that was reported to the store. Objects are marked as valid or invalid.
struct World {
    cluster: BTreeMap<Key, (ConfigMap, bool)>,
    reported: BTreeMap<Key, (ConfigMap, bool)>,
    listed: BTreeSet<usize>,
    version: u32,
    handler: EventHandler<ConfigMap>,
}

impl World {
    fn edit(&mut self, edit: &Edit) -> (Key, Option<Event<RawObject<ConfigMap>>>) {
        self.version += 1;
        match edit {
            Edit::Put {
                key,
                owners,
                label,
                valid,
            } => {
                let uid = self.cluster.get(key).and_then(|(object, _)| object.uid());
                let uid = uid.unwrap_or_else(|| format!("uid-{}", self.version));
                let object = config_map(*key, self.version, uid, owners, *label);
                let event = Event::Apply(raw(&object, *valid));
                self.cluster.insert(*key, (object, *valid));
                (*key, Some(event))
            }
            Edit::Delete(key) => {
                let deleted = self.cluster.remove(key);
                let event = deleted.map(|(object, valid)| Event::Delete(raw(&object, valid)));
                (*key, event)
            }
        }
    }

    fn step(&mut self, step: &Step) {
        match step {
            Step::Watched(edit) => {
                let (key, event) = self.edit(edit);
                if let Some(event) = event.filter(|_| self.listed.contains(&key.0)) {
                    self.handler.handle(key.0, event);
                    self.report(key.0);
                }
            }
            Step::Relisted {
                namespace,
                unseen,
                broken,
            } => {
                for edit in unseen {
                    // Only the watch of this namespace is disconnected.
                    let (Edit::Put { key, .. } | Edit::Delete(key)) = edit;
                    if key.0 == *namespace || !self.listed.contains(&key.0) {
                        self.edit(edit);
                    }
                }
                self.list(*namespace, *broken);
            }
        }
    }

    fn list(&mut self, namespace: usize, broken: bool) {
        if broken {
            let objects = self.in_namespace(namespace);
            let half = objects.len().div_ceil(2);
            self.handler.handle(namespace, Event::Init);
            for (_, object) in objects.iter().take(half) {
                self.handler
                    .handle(namespace, Event::InitApply(object.clone()));
            }
            // An object of the interrupted list may be deleted before the next list starts.
            if let Some((key, _)) = objects.first() {
                self.edit(&Edit::Delete(*key));
            }
        }
        self.handler.handle(namespace, Event::Init);
        for (_, object) in self.in_namespace(namespace) {
            self.handler.handle(namespace, Event::InitApply(object));
        }
        self.handler.handle(namespace, Event::InitDone);
        self.listed.insert(namespace);
        self.report(namespace);
    }

    /// Returns all objects of a namespace.
    fn in_namespace(&self, namespace: usize) -> Vec<(Key, RawObject<ConfigMap>)> {
        let inside = self.cluster.iter().filter(|(key, _)| key.0 == namespace);
        let objects = inside.map(|(key, (object, valid))| (*key, raw(object, *valid)));
        objects.collect()
    }

    /// Records that all objects of a namespace were reported.
    fn report(&mut self, namespace: usize) {
        self.reported.retain(|key, _| key.0 != namespace);
        let inside = self.cluster.iter().filter(|(key, _)| key.0 == namespace);
        self.reported
            .extend(inside.map(|(key, object)| (*key, object.clone())));
    }

    /// Returns the objects that the store must contain.
    fn expected(&self) -> BTreeMap<String, &ConfigMap> {
        let synced = self.listed.len() == NAMESPACES.len();
        let valid = self.reported.values().filter(|(_, valid)| *valid && synced);
        valid.map(|(object, _)| (key(object), object)).collect()
    }
}

fn config_map(
    (namespace, name): Key,
    version: u32,
    uid: String,
    owners: &BTreeSet<usize>,
    label: usize,
) -> ConfigMap {
    let owner = |owner: &usize| OwnerReference {
        uid: KEYS[*owner].into(),
        ..OwnerReference::default()
    };
    let metadata = ObjectMeta {
        namespace: Some(NAMESPACES[namespace].into()),
        name: Some(name.to_string()),
        resource_version: Some(version.to_string()),
        uid: Some(uid),
        labels: Some([("app".to_owned(), KEYS[label].to_owned())].into()),
        owner_references: Some(owners.iter().map(owner).collect()),
        ..ObjectMeta::default()
    };
    ConfigMap {
        metadata,
        ..ConfigMap::default()
    }
}

fn raw(object: &ConfigMap, is_valid: bool) -> RawObject<ConfigMap> {
    if is_valid {
        valid(object)
    } else {
        invalid(object)
    }
}

fn key(object: &ConfigMap) -> String {
    format!("{}/{}", object.namespace().unwrap(), object.name_any())
}

fn owners(object: &ConfigMap) -> Vec<String> {
    object
        .owner_references()
        .iter()
        .map(|owner| owner.uid.clone())
        .collect()
}

fn version(object: &ConfigMap) -> String {
    format!("{}@{}", key(object), object.resource_version().unwrap())
}

fn versions<'a>(objects: impl IntoIterator<Item = &'a ConfigMap>) -> BTreeSet<String> {
    objects.into_iter().map(version).collect()
}

/// A subscriber that rebuilds the cache from changes.
struct Subscriber<S> {
    changes: S,
    objects: BTreeMap<String, ConfigMap>,
}

impl<S: Stream<Item = Change<ConfigMap>> + Unpin> Subscriber<S> {
    fn new(changes: S) -> Self {
        Self {
            changes,
            objects: BTreeMap::new(),
        }
    }

    fn receive(&mut self) {
        while let Some(Some(change)) = self.changes.next().now_or_never() {
            let (key, old, new) = match &change {
                Change::Applied { new, old } => (key(new), old.clone(), Some(new)),
                Change::Deleted(old) => (key(old), Some(old.clone()), None),
            };
            assert_eq!(self.objects.get(&key), old.as_deref(), "{change:?}");
            if let Some(new) = new {
                assert_ne!(Some(&**new), old.as_deref(), "nothing changed");
                self.objects.insert(key, (**new).clone());
            } else {
                self.objects.remove(&key);
            }
        }
    }
}

fn check(
    store: &Store<ConfigMap>,
    world: &World,
    by_label: &Index<ConfigMap>,
    late: &Index<ConfigMap>,
) {
    let expected = world.expected();
    assert_eq!(store.is_synced(), world.listed.len() == NAMESPACES.len());
    assert_eq!(store.len(), expected.len());
    // Invalid objects are counted when all namespaces are listed.
    let invalid = world.reported.values().filter(|(_, valid)| !valid);
    let invalid = if store.is_synced() {
        invalid.count()
    } else {
        0
    };
    assert_eq!(store.invalid_objects(), invalid);
    for object in expected.values() {
        let found = store.get(object.metadata.namespace.as_deref(), &object.name_any());
        assert_eq!(found.as_deref(), Some(*object));
    }
    for key in KEYS {
        let owned = expected
            .values()
            .copied()
            .filter(|object| owners(object).contains(&key.into()));
        let labeled = expected
            .values()
            .copied()
            .filter(|object| object.labels()["app"] == key);
        let found = |objects: Vec<std::sync::Arc<ConfigMap>>| {
            let found = versions(objects.iter().map(|object| &**object));
            assert_eq!(found.len(), objects.len(), "duplicate object");
            found
        };
        let owned = versions(owned);
        assert_eq!(found(store.owned_by(key)), owned);
        assert_eq!(found(late.get(key)), owned);
        assert_eq!(found(by_label.get(key)), versions(labeled));
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn store_indexes_and_subscribers_agree_with_the_cluster(
        before in vec(steps(), 0..40),
        after in vec(steps(), 0..40),
    ) {
        let namespaces = NAMESPACES.map(|name| Some(name.to_owned()));
        let (store, handler) = Store::<ConfigMap>::with_handler(namespaces, Config::default());
        let mut world = World {
            cluster: BTreeMap::new(),
            reported: BTreeMap::new(),
            listed: BTreeSet::new(),
            version: 0,
            handler,
        };
        let by_label = store.label_index("app");
        let mut early = Subscriber::new(store.subscribe());
        for step in &before {
            world.step(step);
            early.receive();
            prop_assert_eq!(versions(early.objects.values()), versions(world.expected().into_values()));
        }
        let late_index = store.index("late owner", owners);
        let mut late = Subscriber::new(store.subscribe());
        check(&store, &world, &by_label, &late_index);
        for step in &after {
            world.step(step);
            late.receive();
            check(&store, &world, &by_label, &late_index);
        }
        early.receive();
        late.receive();
        prop_assert_eq!(versions(early.objects.values()), versions(world.expected().into_values()));
        prop_assert_eq!(versions(late.objects.values()), versions(world.expected().into_values()));
    }
}
