//! Single behaviours of a store.

use std::sync::Arc;

use futures::{FutureExt, Stream, StreamExt};
use k8s_openapi::{
    api::core::v1::{ConfigMap, Secret},
    apimachinery::pkg::apis::meta::v1::ManagedFieldsEntry,
};
use kube::{ResourceExt, runtime::watcher::Event};

use crate::{
    metrics::Metrics,
    store::{
        Change, Config, Store,
        samples::{Log, apply, delete, garble, list, object, owned_by, readable, synced},
    },
};

/// What is to be heard so far, as `+name` and `-name`.
fn heard<K: ResourceExt>(stream: &mut (impl Stream<Item = Change<K>> + Unpin)) -> Vec<String> {
    let mut heard = Vec::new();
    while let Some(Some(change)) = stream.next().now_or_never() {
        heard.push(match change {
            Change::Applied { new, .. } => format!("+{}", new.name_any()),
            Change::Deleted(gone) => format!("-{}", gone.name_any()),
        });
    }
    heard.sort();
    heard
}

fn names<K: ResourceExt>(objects: &[Arc<K>]) -> Vec<String> {
    let mut names: Vec<_> = objects.iter().map(|object| object.name_any()).collect();
    names.sort();
    names
}

#[test]
fn deletions_during_an_outage_reach_subscribers() {
    let (store, mut feed) = synced([object("a", 1), object("b", 2)]);
    let mut changes = store.changes();
    list::<ConfigMap>(&mut feed, [object("b", 2), object("c", 3)]);
    assert_eq!(heard(&mut changes), ["+c", "-a"]);
    assert_eq!(store.get(Some("shop"), "a"), None);
}

#[test]
fn what_a_list_names_unchanged_is_no_change() {
    let (store, mut feed) = synced([object("a", 1)]);
    let mut changes = store.changes();
    list::<ConfigMap>(&mut feed, [object("a", 1)]);
    assert!(heard(&mut changes).is_empty());
}

#[test]
fn late_subscribers_hear_first_what_is_there() {
    let (store, mut feed) = synced::<ConfigMap>([object("a", 1), object("b", 1)]);
    let mut changes = store.subscribe();
    delete(&mut feed, &object("a", 2));
    assert_eq!(heard(&mut changes), ["+a", "+b", "-a"]);
}

#[test]
fn an_object_that_was_made_anew_during_an_outage_is_first_deleted() {
    let (store, mut feed) = synced::<ConfigMap>([object("a", 1)]);
    let mut changes = store.changes();
    let mut other: ConfigMap = object("a", 5);
    other.metadata.uid = Some("another".into());
    list(&mut feed, [other]);
    assert_eq!(heard(&mut changes), ["+a", "-a"]);
    assert_eq!(store.len(), 1);
}

#[test]
fn an_object_that_does_not_fit_its_type_leaves_the_cache_until_it_does() {
    let (store, mut feed) = synced::<ConfigMap>([object("a", 1), object("b", 1)]);
    let mut changes = store.changes();
    garble(&mut feed, &object::<ConfigMap>("a", 2));
    garble(&mut feed, &object::<ConfigMap>("a", 3));
    assert_eq!((store.len(), store.invalid_objects()), (1, 1));
    assert_eq!(heard(&mut changes), ["-a"]);

    apply(&mut feed, &object("a", 4));
    assert_eq!((store.len(), store.invalid_objects()), (2, 0));
    assert_eq!(heard(&mut changes), ["+a"]);
}

#[test]
fn an_object_that_does_not_fit_its_type_is_logged_once_for_each_version() {
    let log = Log::begin();
    let (_store, mut feed) = synced::<ConfigMap>([]);
    for version in [2, 2, 2, 3] {
        garble(&mut feed, &object::<ConfigMap>("a", version));
    }
    let lines = log.lines("does not fit its type");
    assert_eq!(lines.len(), 2, "{lines:?}");
    assert!(
        lines[0].contains("kind=ConfigMap object=shop/a error="),
        "{lines:?}"
    );
    apply(&mut feed, &object("a", 4));
    assert_eq!(log.lines("fits its type again").len(), 1);
}

#[test]
fn an_unreadable_object_that_is_deleted_is_no_longer_counted() {
    let (store, mut feed) = synced::<ConfigMap>([]);
    garble(&mut feed, &object::<ConfigMap>("a", 2));
    delete(&mut feed, &object("a", 3));
    assert_eq!(store.invalid_objects(), 0);
}

#[test]
fn a_store_appears_when_all_namespaces_are_listed() {
    let (store, mut feed) =
        Store::<ConfigMap>::fed(["shop", "bank"].map(|name| Some(name.into())), None);
    let mut changes = store.subscribe();
    let of_shop = readable(&object("a", 1));
    for event in [Event::Init, Event::InitApply(of_shop), Event::InitDone] {
        feed.take(0, event);
    }
    assert!(!store.is_synced() && store.is_empty() && heard(&mut changes).is_empty());
    assert!(store.wait_until_synced().now_or_never().is_none());

    feed.take(1, Event::Init);
    feed.take(1, Event::InitDone);
    assert!(store.is_synced() && store.wait_until_synced().now_or_never().is_some());
    assert_eq!(heard(&mut changes), ["+a"]);
}

#[test]
fn children_are_found_by_the_uid_of_their_owner() {
    let (shop, bank): (ConfigMap, ConfigMap) = (object("shop", 1), object("bank", 1));
    let (store, mut feed) = synced::<Secret>([
        owned_by(object("a", 1), &shop),
        owned_by(object("b", 1), &shop),
        object("c", 1),
    ]);
    assert_eq!(names(&store.owned_by("uid-of-shop")), ["a", "b"]);
    apply(&mut feed, &owned_by(object("b", 2), &bank));
    assert_eq!(names(&store.owned_by("uid-of-shop")), ["a"]);
    assert_eq!(names(&store.owned_by("uid-of-bank")), ["b"]);
}

#[test]
fn an_index_of_a_name_that_is_there_is_shared() {
    let (store, _feed) = synced::<ConfigMap>([object("a", 1)]);
    let by_name = store.index("name", |object: &ConfigMap| vec![object.name_any()]);
    let shared = store.index("name", |_: &ConfigMap| vec![]);
    assert_eq!(names(&shared.get("a")), names(&by_name.get("a")));
    assert_eq!(format!("{shared:?}"), r#"Index("name")"#);
}

#[test]
fn managed_fields_of_others_are_not_kept() {
    let (store, mut feed) = Store::<ConfigMap>::fed([None], Some("us".into()));
    let mut managed: ConfigMap = object("a", 1);
    let entry = |manager: &str| ManagedFieldsEntry {
        manager: Some(manager.into()),
        operation: Some("Apply".into()),
        ..ManagedFieldsEntry::default()
    };
    managed.metadata.managed_fields = Some(vec![entry("kubectl"), entry("us")]);
    list(&mut feed, [managed]);
    let cached = store.get(Some("shop"), "a").unwrap();
    assert_eq!(cached.managed_fields(), [entry("us")]);
}

#[test]
fn what_is_asked_for_again_is_at_hand_until_it_changes() {
    let (store, mut feed) = synced::<ConfigMap>([object("a", 1)]);
    let get = || store.get(Some("shop"), "a").unwrap();
    assert!(Arc::ptr_eq(&get(), &get()));
    apply(&mut feed, &object("a", 2));
    assert_eq!(get().resource_version().as_deref(), Some("2"));
}

#[test]
fn all_objects_are_found_also_those_that_were_not_used_for_long() {
    let objects = (0..1000).map(|number| object::<ConfigMap>(&number.to_string(), 1));
    let (store, _feed) = synced(objects);
    assert_eq!(store.list().len(), 1000);
    for number in 0..1000 {
        let name = number.to_string();
        let found = store.get(Some("shop"), &name).unwrap();
        assert_eq!(found.name_any(), name);
    }
}

#[test]
fn an_index_function_that_panics_affects_only_that_object_and_that_index() {
    let log = Log::begin();
    let metrics = Metrics::new();
    let config = Config {
        metrics: metrics.store("ConfigMap"),
        ..Config::default()
    };
    let (store, mut feed) = Store::<ConfigMap>::fed_with([None], config);
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
        &mut feed,
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

    // It gets the label, loses it, and is deleted.
    apply(&mut feed, &colored("plain", 2));
    assert_eq!(names(&by_color.get("red")), ["a", "b", "plain"]);
    apply(&mut feed, &object("plain", 3));
    assert_eq!(names(&by_color.get("red")), ["a", "b"]);
    delete(&mut feed, &object("plain", 3));
    apply(&mut feed, &colored("c", 1));
    assert_eq!(names(&by_color.get("red")), ["a", "b", "c"]);
    let later = store.index("later", |object: &ConfigMap| {
        vec![object.labels()["size"].clone()]
    });
    assert!(later.get("large").is_empty());
    let counted = "kb_store_index_panics_total{kind=\"ConfigMap\"} 5\n";
    let text = metrics.render().unwrap();
    assert!(text.contains(counted), "{text}");
}
