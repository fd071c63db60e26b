//! Random histories of a cluster: after every step the store, its indexes and its subscribers hold what a naive model does.

use std::collections::{BTreeMap, BTreeSet};

use futures::{FutureExt, Stream, StreamExt};
use k8s_openapi::{
    api::core::v1::ConfigMap,
    apimachinery::pkg::apis::meta::v1::{ObjectMeta, OwnerReference},
};
use kube::{ResourceExt, runtime::watcher::Event};
use proptest::{collection::vec, prelude::*};

use crate::store::{
    Change, Index, Store,
    feed::Feed,
    guard::Guard,
    samples::{readable, unreadable},
};

const NAMESPACES: [&str; 3] = ["a", "b", "c"];
const KEYS: [&str; 3] = ["x", "y", "z"];

/// Where an object is: its namespace and one of a few names.
type Place = (usize, u8);

#[derive(Debug, Clone)]
enum Edit {
    Put {
        place: Place,
        owners: BTreeSet<usize>,
        label: usize,
        readable: bool,
    },
    Delete(Place),
}

#[derive(Debug, Clone)]
enum Step {
    /// The watch tells of an edit, if its namespace is listed.
    Watched(Edit),
    /// Edits that no watch sees, and then a list, which breaks off half-way at first.
    Relisted {
        namespace: usize,
        unseen: Vec<Edit>,
        broken: bool,
    },
}

fn edits() -> impl Strategy<Value = Edit> {
    let place = || (0..NAMESPACES.len(), 0..4_u8);
    let owners = proptest::collection::btree_set(0..KEYS.len(), 0..3);
    prop_oneof![
        3 => (place(), owners, 0..KEYS.len(), prop::bool::weighted(0.8))
            .prop_map(|(place, owners, label, readable)| Edit::Put { place, owners, label, readable }),
        1 => place().prop_map(Edit::Delete),
    ]
}

fn steps() -> impl Strategy<Value = Step> {
    prop_oneof![
        3 => edits().prop_map(Step::Watched),
        1 => (0..NAMESPACES.len(), vec(edits(), 0..6), any::<bool>())
            .prop_map(|(namespace, unseen, broken)| Step::Relisted { namespace, unseen, broken }),
    ]
}

/// The cluster as the model knows it, and what the store was told of it.
struct World {
    cluster: BTreeMap<Place, (ConfigMap, bool)>,
    told: BTreeMap<Place, (ConfigMap, bool)>,
    listed: BTreeSet<usize>,
    version: u32,
    feed: Feed<ConfigMap>,
}

impl World {
    fn edit(&mut self, edit: &Edit) -> (Place, Option<Event<Guard<ConfigMap>>>) {
        self.version += 1;
        match edit {
            Edit::Put {
                place,
                owners,
                label,
                readable,
            } => {
                let born = self.cluster.get(place).and_then(|(object, _)| object.uid());
                let uid = born.unwrap_or_else(|| format!("born-{}", self.version));
                let object = config_map(*place, self.version, uid, owners, *label);
                let event = Event::Apply(guard(&object, *readable));
                self.cluster.insert(*place, (object, *readable));
                (*place, Some(event))
            }
            Edit::Delete(place) => {
                let gone = self.cluster.remove(place);
                let event = gone.map(|(object, readable)| Event::Delete(guard(&object, readable)));
                (*place, event)
            }
        }
    }

    fn step(&mut self, step: &Step) {
        match step {
            Step::Watched(edit) => {
                let (place, event) = self.edit(edit);
                if let Some(event) = event.filter(|_| self.listed.contains(&place.0)) {
                    self.feed.take(place.0, event);
                    self.tell(place.0);
                }
            }
            Step::Relisted {
                namespace,
                unseen,
                broken,
            } => {
                for edit in unseen {
                    // What no watch sees can only be in the namespace whose watch is down.
                    let (Edit::Put { place, .. } | Edit::Delete(place)) = edit;
                    if place.0 == *namespace || !self.listed.contains(&place.0) {
                        self.edit(edit);
                    }
                }
                self.list(*namespace, *broken);
            }
        }
    }

    fn list(&mut self, namespace: usize, broken: bool) {
        if broken {
            let objects = self.inside(namespace);
            let half = objects.len().div_ceil(2);
            self.feed.take(namespace, Event::Init);
            for (_, object) in objects.iter().take(half) {
                self.feed.take(namespace, Event::InitApply(object.clone()));
            }
            // What a list named that broke off may be gone when the next one begins.
            if let Some((place, _)) = objects.first() {
                self.edit(&Edit::Delete(*place));
            }
        }
        self.feed.take(namespace, Event::Init);
        for (_, object) in self.inside(namespace) {
            self.feed.take(namespace, Event::InitApply(object));
        }
        self.feed.take(namespace, Event::InitDone);
        self.listed.insert(namespace);
        self.tell(namespace);
    }

    /// All objects of a namespace, as a list shows them.
    fn inside(&self, namespace: usize) -> Vec<(Place, Guard<ConfigMap>)> {
        let inside = self
            .cluster
            .iter()
            .filter(|(place, _)| place.0 == namespace);
        let shown = inside.map(|(place, (object, readable))| (*place, guard(object, *readable)));
        shown.collect()
    }

    /// The store knows all of a namespace.
    fn tell(&mut self, namespace: usize) {
        self.told.retain(|place, _| place.0 != namespace);
        let inside = self
            .cluster
            .iter()
            .filter(|(place, _)| place.0 == namespace);
        self.told
            .extend(inside.map(|(place, told)| (*place, told.clone())));
    }

    /// What the store must hold.
    fn expected(&self) -> BTreeMap<String, &ConfigMap> {
        let synced = self.listed.len() == NAMESPACES.len();
        let readable = self
            .told
            .values()
            .filter(|(_, readable)| *readable && synced);
        readable
            .map(|(object, _)| (place(object), object))
            .collect()
    }
}

fn config_map(
    (namespace, name): Place,
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

fn guard(object: &ConfigMap, is_readable: bool) -> Guard<ConfigMap> {
    if is_readable {
        readable(object)
    } else {
        unreadable(object)
    }
}

fn place(object: &ConfigMap) -> String {
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
    format!("{}@{}", place(object), object.resource_version().unwrap())
}

fn versions<'a>(objects: impl IntoIterator<Item = &'a ConfigMap>) -> BTreeSet<String> {
    objects.into_iter().map(version).collect()
}

/// Who believes what it hears.
struct Listener<S> {
    changes: S,
    believed: BTreeMap<String, ConfigMap>,
}

impl<S: Stream<Item = Change<ConfigMap>> + Unpin> Listener<S> {
    fn new(changes: S) -> Self {
        Self {
            changes,
            believed: BTreeMap::new(),
        }
    }

    fn listen(&mut self) {
        while let Some(Some(change)) = self.changes.next().now_or_never() {
            let (place, old, new) = match &change {
                Change::Applied { new, old } => (place(new), old.clone(), Some(new)),
                Change::Deleted(gone) => (place(gone), Some(gone.clone()), None),
            };
            assert_eq!(self.believed.get(&place), old.as_deref(), "{change:?}");
            if let Some(new) = new {
                assert_ne!(Some(&**new), old.as_deref(), "nothing changed");
                self.believed.insert(place, (**new).clone());
            } else {
                self.believed.remove(&place);
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
    // Before all are listed nothing is said of any object.
    let unreadable = world.told.values().filter(|(_, readable)| !readable);
    let unreadable = if store.is_synced() {
        unreadable.count()
    } else {
        0
    };
    assert_eq!(store.invalid_objects(), unreadable);
    for object in expected.values() {
        let found = store.get(object.metadata.namespace.as_deref(), &object.name_any());
        assert_eq!(found.as_deref(), Some(*object));
    }
    for key in KEYS {
        let owned = expected
            .values()
            .copied()
            .filter(|object| owners(object).contains(&key.into()));
        let labelled = expected
            .values()
            .copied()
            .filter(|object| object.labels()["app"] == key);
        let found = |objects: Vec<std::sync::Arc<ConfigMap>>| {
            let found = versions(objects.iter().map(|object| &**object));
            assert_eq!(found.len(), objects.len(), "an object is found twice");
            found
        };
        let owned = versions(owned);
        assert_eq!(found(store.owned_by(key)), owned);
        assert_eq!(found(late.get(key)), owned);
        assert_eq!(found(by_label.get(key)), versions(labelled));
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
        let (store, feed) = Store::<ConfigMap>::fed(namespaces, None);
        let mut world = World {
            cluster: BTreeMap::new(),
            told: BTreeMap::new(),
            listed: BTreeSet::new(),
            version: 0,
            feed,
        };
        let by_label = store.label_index("app");
        let mut early = Listener::new(store.subscribe());
        for step in &before {
            world.step(step);
            early.listen();
            prop_assert_eq!(versions(early.believed.values()), versions(world.expected().into_values()));
        }
        let late_index = store.index("owner, found late", owners);
        let mut late = Listener::new(store.subscribe());
        check(&store, &world, &by_label, &late_index);
        for step in &after {
            world.step(step);
            late.listen();
            check(&store, &world, &by_label, &late_index);
        }
        early.listen();
        late.listen();
        prop_assert_eq!(versions(early.believed.values()), versions(world.expected().into_values()));
        prop_assert_eq!(versions(late.believed.values()), versions(world.expected().into_values()));
    }
}
