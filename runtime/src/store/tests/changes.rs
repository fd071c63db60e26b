//! Behavior of a store on single events.

use std::sync::Arc;

use futures::{FutureExt, Stream, StreamExt};
use k8s_openapi::{
    api::core::v1::{ConfigMap, Node, Secret},
    apimachinery::pkg::apis::meta::v1::ManagedFieldsEntry,
};
use kube::{ResourceExt, runtime::watcher::Event};

use crate::{
    metrics::Metrics,
    store::{
        Change, Config, Store,
        samples::{
            Log, apply, apply_invalid, cluster_object, delete, list, object, owned_by, synced,
            valid,
        },
    },
};

/// Returns the changes published so far, as `+name` and `-name`.
fn published<K: ResourceExt>(stream: &mut (impl Stream<Item = Change<K>> + Unpin)) -> Vec<String> {
    let mut published = Vec::new();
    while let Some(Some(change)) = stream.next().now_or_never() {
        published.push(match change {
            Change::Applied { new, .. } => format!("+{}", new.name_any()),
            Change::Deleted(old) => format!("-{}", old.name_any()),
        });
    }
    published.sort();
    published
}

fn names<K: ResourceExt>(objects: &[Arc<K>]) -> Vec<String> {
    let mut names: Vec<_> = objects.iter().map(|object| object.name_any()).collect();
    names.sort();
    names
}

#[test]
fn a_relist_publishes_missed_deletions() {
    let (store, mut handler) = synced([object("a", 1), object("b", 2)]);
    let mut changes = store.changes();
    list::<ConfigMap>(&mut handler, [object("b", 2), object("c", 3)]);
    assert_eq!(published(&mut changes), ["+c", "-a"]);
    assert_eq!(store.get(Some("shop"), "a"), None);
}

#[test]
fn a_relist_does_not_publish_unchanged_objects() {
    let (store, mut handler) = synced([object("a", 1)]);
    let mut changes = store.changes();
    list::<ConfigMap>(&mut handler, [object("a", 1)]);
    assert!(published(&mut changes).is_empty());
}

#[test]
fn a_new_subscriber_first_receives_all_cached_objects() {
    let (store, mut handler) = synced::<ConfigMap>([object("a", 1), object("b", 1)]);
    let mut changes = store.subscribe();
    delete(&mut handler, &object("a", 2));
    assert_eq!(published(&mut changes), ["+a", "+b", "-a"]);
}

#[test]
fn a_relist_publishes_a_recreated_object_as_deleted_and_applied() {
    let (store, mut handler) = synced::<ConfigMap>([object("a", 1)]);
    let mut changes = store.changes();
    let mut other: ConfigMap = object("a", 5);
    other.metadata.uid = Some("another".into());
    list(&mut handler, [other]);
    assert_eq!(published(&mut changes), ["+a", "-a"]);
    assert_eq!(store.len(), 1);
}

#[test]
fn the_namespace_of_a_cluster_scoped_object_is_ignored() {
    let (store, _handler) = synced::<Node>([cluster_object("a", 1)]);
    assert!(store.get(Some("shop"), "a").is_some());
    assert!(store.get(None, "a").is_some());
    let (store, _handler) = synced::<ConfigMap>([object("a", 1)]);
    assert!(store.get(Some("bank"), "a").is_none());
    assert!(store.get(None, "a").is_none());
}

#[test]
fn an_invalid_object_is_removed_until_it_is_valid_again() {
    let (store, mut handler) = synced::<ConfigMap>([object("a", 1), object("b", 1)]);
    let mut changes = store.changes();
    apply_invalid(&mut handler, &object::<ConfigMap>("a", 2));
    apply_invalid(&mut handler, &object::<ConfigMap>("a", 3));
    assert_eq!((store.len(), store.invalid_objects()), (1, 1));
    assert_eq!(published(&mut changes), ["-a"]);

    apply(&mut handler, &object("a", 4));
    assert_eq!((store.len(), store.invalid_objects()), (2, 0));
    assert_eq!(published(&mut changes), ["+a"]);
}

#[test]
fn an_invalid_object_is_logged_once_per_version() {
    let log = Log::begin();
    let (_store, mut handler) = synced::<ConfigMap>([]);
    for version in [2, 2, 2, 3] {
        apply_invalid(&mut handler, &object::<ConfigMap>("a", version));
    }
    let lines = log.lines("failed to deserialize, ignoring object");
    assert_eq!(lines.len(), 2, "{lines:?}");
    assert!(
        lines[0].contains("kind=ConfigMap object=shop/a error="),
        "{lines:?}"
    );
    apply(&mut handler, &object("a", 4));
    assert_eq!(log.lines("object is valid again").len(), 1);
}

#[test]
fn a_deleted_invalid_object_is_not_counted() {
    let (store, mut handler) = synced::<ConfigMap>([]);
    apply_invalid(&mut handler, &object::<ConfigMap>("a", 2));
    delete(&mut handler, &object("a", 3));
    assert_eq!(store.invalid_objects(), 0);
}

#[test]
fn a_store_is_empty_until_all_namespaces_are_listed() {
    let (store, mut handler) = Store::<ConfigMap>::with_handler(
        ["shop", "bank"].map(|name| Some(name.into())),
        Config::default(),
    );
    let mut changes = store.subscribe();
    let object = valid(&object("a", 1));
    for event in [Event::Init, Event::InitApply(object), Event::InitDone] {
        handler.handle(0, event);
    }
    assert!(!store.is_synced() && store.is_empty() && published(&mut changes).is_empty());
    assert!(store.wait_until_synced().now_or_never().is_none());

    handler.handle(1, Event::Init);
    handler.handle(1, Event::InitDone);
    assert!(store.is_synced() && store.wait_until_synced().now_or_never().is_some());
    assert_eq!(published(&mut changes), ["+a"]);
}

#[test]
fn owned_objects_are_found_by_owner_uid() {
    let (shop, bank): (ConfigMap, ConfigMap) = (object("shop", 1), object("bank", 1));
    let (store, mut handler) = synced::<Secret>([
        owned_by(object("a", 1), &shop),
        owned_by(object("b", 1), &shop),
        object("c", 1),
    ]);
    assert_eq!(names(&store.owned_by("uid-of-shop")), ["a", "b"]);
    apply(&mut handler, &owned_by(object("b", 2), &bank));
    assert_eq!(names(&store.owned_by("uid-of-shop")), ["a"]);
    assert_eq!(names(&store.owned_by("uid-of-bank")), ["b"]);
}

#[test]
fn indexes_with_the_same_name_are_shared() {
    let (store, _handler) = synced::<ConfigMap>([object("a", 1)]);
    let by_name = store.index("name", |object: &ConfigMap| vec![object.name_any()]);
    let shared = store.index("name", |_: &ConfigMap| vec![]);
    assert_eq!(names(&shared.get("a")), names(&by_name.get("a")));
    assert_eq!(format!("{shared:?}"), r#"Index("name")"#);
}

#[test]
fn managed_fields_of_other_managers_are_dropped() {
    let (store, mut handler) = Store::<ConfigMap>::with_handler(
        [None],
        Config {
            keep_managed_fields_of: Some("us".into()),
            ..Config::default()
        },
    );
    let mut managed: ConfigMap = object("a", 1);
    let entry = |manager: &str| ManagedFieldsEntry {
        manager: Some(manager.into()),
        operation: Some("Apply".into()),
        ..ManagedFieldsEntry::default()
    };
    managed.metadata.managed_fields = Some(vec![entry("kubectl"), entry("us")]);
    list(&mut handler, [managed]);
    let cached = store.get(Some("shop"), "a").unwrap();
    assert_eq!(cached.managed_fields(), [entry("us")]);
}

#[test]
fn a_recently_used_object_is_not_deserialized_again() {
    let (store, mut handler) = synced::<ConfigMap>([object("a", 1)]);
    let get = || store.get(Some("shop"), "a").unwrap();
    assert!(Arc::ptr_eq(&get(), &get()));
    apply(&mut handler, &object("a", 2));
    assert_eq!(get().resource_version().as_deref(), Some("2"));
}

#[test]
fn objects_that_are_not_kept_deserialized_are_found() {
    let objects = (0..1000).map(|number| object::<ConfigMap>(&number.to_string(), 1));
    let (store, _handler) = synced(objects);
    assert_eq!(store.list().len(), 1000);
    for number in 0..1000 {
        let name = number.to_string();
        let found = store.get(Some("shop"), &name).unwrap();
        assert_eq!(found.name_any(), name);
    }
}

#[test]
fn a_panicking_index_function_affects_one_object_and_one_index() {
    let log = Log::begin();
    let metrics = Metrics::new();
    let config = Config {
        metrics: metrics.store("ConfigMap"),
        ..Config::default()
    };
    let (store, mut handler) = Store::<ConfigMap>::with_handler([None], config);
    let by_color = store.index("color", |object: &ConfigMap| {
        vec![object.labels()["color"].clone()]
    });
    let by_name = store.index("name", |object: &ConfigMap| vec![object.name_any()]);
    let colored = |name: &str, version| {
        let mut object: ConfigMap = object(name, version);
        object.labels_mut().insert("color".into(), "red".into());
        object
    };
    list(
        &mut handler,
        [colored("a", 1), object("plain", 1), colored("b", 1)],
    );
    assert_eq!(names(&by_color.get("red")), ["a", "b"]);
    assert_eq!(names(&by_name.get("plain")), ["plain"]);
    assert_eq!(store.len(), 3);
    let lines = log.lines("index function panicked");
    assert_eq!(lines.len(), 1, "{lines:?}");
    for named in ["kind=ConfigMap", "index=\"color\"", "object=shop/plain"] {
        assert!(lines[0].contains(named), "{lines:?}");
    }

    // The label is added and removed, and the object is deleted.
    apply(&mut handler, &colored("plain", 2));
    assert_eq!(names(&by_color.get("red")), ["a", "b", "plain"]);
    apply(&mut handler, &object("plain", 3));
    assert_eq!(names(&by_color.get("red")), ["a", "b"]);
    delete(&mut handler, &object("plain", 3));
    apply(&mut handler, &colored("c", 1));
    assert_eq!(names(&by_color.get("red")), ["a", "b", "c"]);
    let later = store.index("later", |object: &ConfigMap| {
        vec![object.labels()["size"].clone()]
    });
    assert!(later.get("large").is_empty());
    let counted = "kb_store_index_panics_total{kind=\"ConfigMap\"} 5\n";
    let text = metrics.render().unwrap();
    assert!(text.contains(counted), "{text}");
}
