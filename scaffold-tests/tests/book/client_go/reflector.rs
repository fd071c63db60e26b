//! `Reflector` and `DeltaFIFO`: a list and a watch with recovery, and their events.

use futures::{Stream, StreamExt as _};
use kb::k8s_openapi::api::core::v1::ConfigMap;
use kube::{
    Api, ResourceExt as _,
    runtime::{
        WatchStreamExt as _,
        reflector::{self, Store},
        watcher::{self, Event, watcher},
    },
};

use super::test_namespace::{TestNamespace, within_30s};

/// Creates a cache with kube alone. Poll the stream to update the store.
fn reflect(api: Api<ConfigMap>) -> (Store<ConfigMap>, impl Stream<Item = ConfigMap> + Unpin) {
    let (reader, writer) = reflector::store();
    let changes = watcher(api, watcher::Config::default())
        .default_backoff()
        .reflect(writer)
        .applied_objects()
        .filter_map(async |change| change.ok())
        .boxed();
    (reader, changes)
}

/// Describes an event: a list between `Init` and `InitDone`, then single changes.
fn describe(event: &Event<ConfigMap>) -> String {
    match event {
        Event::Init => "list started".to_owned(),
        Event::InitApply(object) => format!("{} listed", object.name_any()),
        Event::InitDone => "list complete".to_owned(),
        Event::Apply(object) => format!("{} added or updated", object.name_any()),
        Event::Delete(object) => format!("{} deleted", object.name_any()),
    }
}

#[tokio::test]
async fn reflector_fills_a_store() {
    let Some(test) = TestNamespace::new("reflector").await else {
        return;
    };
    test.create("one", "shop").await;
    let (store, mut changes) = reflect(test.config_maps());
    let first = within_30s(changes.next()).await.unwrap();
    assert_eq!(first.name_any(), "one");
    tokio::spawn(async move { while changes.next().await.is_some() {} });
    within_30s(store.wait_until_ready()).await.unwrap();
    assert_eq!(store.len(), 1);
}

#[tokio::test]
async fn stream_contains_the_list_and_each_change() {
    let Some(test) = TestNamespace::new("delta-fifo").await else {
        return;
    };
    test.create("one", "shop").await;
    let mut events = watcher(test.config_maps(), watcher::Config::default()).boxed();
    let mut descriptions = Vec::new();
    for expected in [
        "list started",
        "one listed",
        "list complete",
        "two added or updated",
        "two deleted",
    ] {
        let event = within_30s(events.next()).await.unwrap().unwrap();
        descriptions.push(describe(&event));
        assert_eq!(descriptions.last().unwrap(), expected, "{descriptions:?}");
        match descriptions.len() {
            3 => drop(test.create("two", "shop").await),
            4 => test.delete("two").await,
            _ => {}
        }
    }
}
