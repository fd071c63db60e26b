//! `ListWatch`: a list, and a watch from its resource version.

use futures::{StreamExt as _, TryStreamExt as _};
use kb::k8s_openapi::api::core::v1::ConfigMap;
use kube::{
    Api,
    api::{ListParams, WatchEvent, WatchParams},
};

use super::test_namespace::{TestNamespace, within_30s};

/// Lists objects and returns the first change after the list.
async fn list_and_watch(api: Api<ConfigMap>) -> kube::Result<WatchEvent<ConfigMap>> {
    let list = api.list(&ListParams::default()).await?;
    let version = list.metadata.resource_version.unwrap_or_default();
    let mut changes = api.watch(&WatchParams::default(), &version).await?.boxed();
    while let Some(change) = changes.try_next().await? {
        if !matches!(change, WatchEvent::Bookmark(_)) {
            return Ok(change);
        }
    }
    unreachable!("watches end after minutes")
}

#[tokio::test]
async fn watches_from_the_list() {
    let Some(test) = TestNamespace::new("list-watch").await else {
        return;
    };
    test.create("before", "shop").await;
    let watched = tokio::spawn(list_and_watch(test.config_maps()));
    let event = loop {
        // The list may not be complete yet.
        test.create("after", "shop").await;
        tokio::time::sleep(std::time::Duration::from_millis(300)).await;
        test.delete("after").await;
        if watched.is_finished() {
            break within_30s(watched).await.unwrap().unwrap();
        }
    };
    let (WatchEvent::Added(found) | WatchEvent::Deleted(found)) = event else {
        panic!("{event:?}");
    };
    assert_eq!(found.metadata.name.as_deref(), Some("after"));
}
