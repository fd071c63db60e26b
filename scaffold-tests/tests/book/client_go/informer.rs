//! `Informer` and `SharedInformer`: handlers that hear of every change, any number of them on one watch.

use futures::{Stream, StreamExt as _};
use kb::{
    k8s_openapi::api::core::v1::ConfigMap,
    store::{Change, Config, Store},
};
use kube::{Api, ResourceExt as _};

use super::place::{Place, soon};

/// One watch, and a cache that any number of readers share. `manager.store::<ConfigMap>()` gives one that the manager runs.
fn informer(api: Api<ConfigMap>) -> Store<ConfigMap> {
    let (store, watch) = Store::new(vec![api], Config::default());
    tokio::spawn(watch.run());
    store
}

/// What `AddFunc`, `UpdateFunc` and `DeleteFunc` are in client-go.
fn handle(change: &Change<ConfigMap>) -> String {
    match change {
        Change::Applied { new, old: None } => format!("{} was added", new.name_any()),
        Change::Applied { new, old: Some(_) } => format!("{} was changed", new.name_any()),
        Change::Deleted(last) => format!("{} was deleted", last.name_any()),
    }
}

async fn next(changes: &mut (impl Stream<Item = Change<ConfigMap>> + Unpin)) -> String {
    handle(&soon(changes.next()).await.unwrap())
}

#[tokio::test]
async fn several_handlers_hear_the_same_from_one_watch() {
    let Some(place) = Place::new("informer").await else {
        return;
    };
    let store = informer(place.config_maps());
    let (mut first, mut second) = (store.subscribe(), store.subscribe());
    soon(store.wait_until_synced()).await;
    place.make("one", "shop").await;
    assert_eq!(next(&mut first).await, "one was added");
    assert_eq!(next(&mut second).await, "one was added");
    place.delete("one").await;
    assert_eq!(next(&mut first).await, "one was deleted");
    assert_eq!(next(&mut second).await, "one was deleted");
}
