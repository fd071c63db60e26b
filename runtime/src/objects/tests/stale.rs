//! Applies with a cache that lags, and values that the server writes in its own way.

use k8s_openapi::api::core::v1::ConfigMap;
use serde_json::json;

use super::{
    apply::{apply_line, live, wanted},
    from, objects, owner,
};
use crate::objects::{Applied, Objects, tests::Server};

fn cached(value: &str, version: u64) -> ConfigMap {
    from(live(value, version))
}

async fn apply(objects: &Objects, value: &str, cached: &ConfigMap) -> Applied<ConfigMap> {
    let owner = owner();
    let applied = objects.apply_with_cached(&owner, wanted(value), Some(cached));
    applied.await.unwrap()
}

#[tokio::test(start_paused = true)]
async fn a_cache_that_lags_does_not_send_again() {
    let server = Server::new([(200, live("2", 7))]);
    let objects = objects(&server);
    apply(&objects, "2", &cached("1", 5)).await;
    // Neither from the object that it saw then, nor from one between that and our write.
    apply(&objects, "2", &cached("1", 5)).await;
    apply(&objects, "2", &cached("other", 6)).await;
    apply(&objects, "2", &cached("2", 7)).await;
    assert_eq!(server.lines(), [apply_line()]);
}

#[tokio::test(start_paused = true)]
async fn a_cache_that_lags_does_not_hide_a_change_back() {
    let server = Server::new([(200, live("2", 7)), (200, live("1", 8))]);
    let objects = objects(&server);
    apply(&objects, "2", &cached("1", 5)).await;
    // The cache still has what is wanted now, but the server does not.
    let applied = apply(&objects, "1", &cached("1", 5)).await;
    assert!(matches!(applied, Applied::Patched(_)));
    assert_eq!(server.lines(), [apply_line(), apply_line()]);
}

#[tokio::test(start_paused = true)]
async fn a_change_by_others_after_ours_is_undone() {
    let server = Server::new([(200, live("2", 7)), (200, live("2", 9))]);
    let objects = objects(&server);
    apply(&objects, "2", &cached("1", 5)).await;
    apply(&objects, "2", &cached("theirs", 8)).await;
    assert_eq!(server.lines(), [apply_line(), apply_line()]);
}

#[tokio::test(start_paused = true)]
async fn versions_that_start_again_are_noticed() {
    let server = Server::new([(200, live("2", 700)), (200, live("2", 6))]);
    let objects = objects(&server);
    apply(&objects, "2", &cached("1", 5)).await;
    // etcd was restored from a backup.
    tokio::time::advance(std::time::Duration::from_secs(60)).await;
    apply(&objects, "2", &cached("1", 5)).await;
    apply(&objects, "2", &cached("2", 6)).await;
    assert_eq!(server.lines(), [apply_line(), apply_line()]);
}

#[tokio::test(start_paused = true)]
async fn a_value_that_the_server_normalises_is_sent_once() {
    // As if `1000m` were a quantity.
    let server = Server::new([(200, live("1", 7)), (200, live("1", 9))]);
    let objects = objects(&server);
    apply(&objects, "1000m", &cached("2", 5)).await;
    apply(&objects, "1000m", &cached("1", 7)).await;

    let mut status_changed = live("1", 8);
    status_changed["metadata"]["generation"] = json!(4);
    status_changed["metadata"]["managedFields"]
        .as_array_mut()
        .unwrap()
        .push(json!({"manager": "kubelet", "operation": "Update"}));
    apply(&objects, "1000m", &from(status_changed)).await;
    assert_eq!(
        server.lines(),
        [apply_line()],
        "a new version with the same content"
    );

    apply(&objects, "1000m", &cached("theirs", 9)).await;
    assert_eq!(server.lines(), [apply_line()], "another content");
}
