//! `ListWatch`: one list, and then a watch from where it ended.

use futures::{StreamExt as _, TryStreamExt as _};
use kb::k8s_openapi::api::core::v1::ConfigMap;
use kube::{
    Api,
    api::{ListParams, WatchEvent, WatchParams},
};

use super::place::{Place, soon};

/// Lists, and then waits for the first change after it.
async fn list_and_watch(api: Api<ConfigMap>) -> kube::Result<WatchEvent<ConfigMap>> {
    let list = api.list(&ListParams::default()).await?;
    let version = list.metadata.resource_version.unwrap_or_default();
    let mut changes = api.watch(&WatchParams::default(), &version).await?.boxed();
    while let Some(change) = changes.try_next().await? {
        if !matches!(change, WatchEvent::Bookmark(_)) {
            return Ok(change);
        }
    }
    unreachable!("the API server ends a watch after minutes")
}

#[tokio::test]
async fn a_list_is_followed_by_a_watch() {
    let Some(place) = Place::new("list-watch").await else {
        return;
    };
    place.make("before", "shop").await;
    let watched = tokio::spawn(list_and_watch(place.config_maps()));
    let event = loop {
        // The list may not have been made yet.
        place.make("after", "shop").await;
        tokio::time::sleep(std::time::Duration::from_millis(300)).await;
        place.delete("after").await;
        if watched.is_finished() {
            break soon(watched).await.unwrap().unwrap();
        }
    };
    let (WatchEvent::Added(found) | WatchEvent::Deleted(found)) = event else {
        panic!("{event:?}");
    };
    assert_eq!(found.metadata.name.as_deref(), Some("after"));
}
