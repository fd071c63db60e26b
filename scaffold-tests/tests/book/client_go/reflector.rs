//! `Reflector` and `DeltaFIFO`: a list and a watch that begin again by themselves, and what they tell.

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

use super::place::{Place, soon};

/// A cache that kube alone keeps: drive the stream, and read the store.
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

/// What the queue of deltas holds in client-go are events of a stream here: a list between `Init` and `InitDone`, then one change each.
fn told(event: &Event<ConfigMap>) -> String {
    match event {
        Event::Init => "a list begins".to_owned(),
        Event::InitApply(object) => format!("{} is listed", object.name_any()),
        Event::InitDone => "the list is complete".to_owned(),
        Event::Apply(object) => format!("{} is new or has changed", object.name_any()),
        Event::Delete(object) => format!("{} is gone", object.name_any()),
    }
}

#[tokio::test]
async fn a_reflector_fills_a_store() {
    let Some(place) = Place::new("reflector").await else {
        return;
    };
    place.make("one", "shop").await;
    let (store, mut changes) = reflect(place.config_maps());
    let first = soon(changes.next()).await.unwrap();
    assert_eq!(first.name_any(), "one");
    tokio::spawn(async move { while changes.next().await.is_some() {} });
    soon(store.wait_until_ready()).await.unwrap();
    assert_eq!(store.len(), 1);
}

#[tokio::test]
async fn a_stream_tells_of_the_list_and_of_each_change() {
    let Some(place) = Place::new("delta-fifo").await else {
        return;
    };
    place.make("one", "shop").await;
    let mut events = watcher(place.config_maps(), watcher::Config::default()).boxed();
    let mut heard = Vec::new();
    for expected in [
        "a list begins",
        "one is listed",
        "the list is complete",
        "two is new or has changed",
        "two is gone",
    ] {
        let event = soon(events.next()).await.unwrap().unwrap();
        heard.push(told(&event));
        assert_eq!(heard.last().unwrap(), expected, "{heard:?}");
        match heard.len() {
            3 => drop(place.make("two", "shop").await),
            4 => place.delete("two").await,
            _ => {}
        }
    }
}
