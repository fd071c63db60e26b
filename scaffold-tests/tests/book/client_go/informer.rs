//! `Informer` and `SharedInformer`: any number of handlers on one watch.

use futures::{Stream, StreamExt as _};
use kb::{
    k8s_openapi::api::core::v1::ConfigMap,
    store::{Change, Config, Store},
};
use kube::{Api, ResourceExt as _};

use super::test_namespace::{TestNamespace, within_30s};

/// Starts a shared cache with one watch. `manager.store::<ConfigMap>()` returns one that the manager runs.
fn informer(api: Api<ConfigMap>) -> Store<ConfigMap> {
    let (store, watch) = Store::new(vec![api], Config::default());
    tokio::spawn(watch.run());
    store
}

/// Replaces `AddFunc`, `UpdateFunc` and `DeleteFunc`.
fn handle(change: &Change<ConfigMap>) -> String {
    match change {
        Change::Applied { new, old: None } => format!("{} added", new.name_any()),
        Change::Applied { new, old: Some(_) } => format!("{} updated", new.name_any()),
        Change::Deleted(last) => format!("{} deleted", last.name_any()),
    }
}

async fn next(changes: &mut (impl Stream<Item = Change<ConfigMap>> + Unpin)) -> String {
    handle(&within_30s(changes.next()).await.unwrap())
}

#[tokio::test]
async fn handlers_share_one_watch() {
    let Some(test) = TestNamespace::new("informer").await else {
        return;
    };
    let store = informer(test.config_maps());
    let (mut first, mut second) = (store.subscribe(), store.subscribe());
    within_30s(store.wait_until_synced()).await;
    test.create("one", "shop").await;
    assert_eq!(next(&mut first).await, "one added");
    assert_eq!(next(&mut second).await, "one added");
    test.delete("one").await;
    assert_eq!(next(&mut first).await, "one deleted");
    assert_eq!(next(&mut second).await, "one deleted");
}
