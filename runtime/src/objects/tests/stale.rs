//! Apply with a lagging cache, and values normalized by the API server.

use k8s_openapi::api::core::v1::ConfigMap;
use serde_json::json;

use super::{
    apply::{apply_line, desired, live},
    from, objects, owner,
};
use crate::objects::{Applied, Objects, tests::Server};

fn cached(value: &str, version: u64) -> ConfigMap {
    from(live(value, version))
}

async fn apply(objects: &Objects, value: &str, cached: &ConfigMap) -> Applied<ConfigMap> {
    let owner = owner();
    let applied = objects.apply_with_cached(&owner, desired(value), Some(cached));
    applied.await.unwrap()
}

#[tokio::test(start_paused = true)]
async fn does_not_send_again_while_the_cache_lags() {
    let server = Server::new([(200, live("2", 7))]);
    let objects = objects(&server);
    apply(&objects, "2", &cached("1", 5)).await;
    // Neither with the same cached object, nor with a version before our write.
    apply(&objects, "2", &cached("1", 5)).await;
    apply(&objects, "2", &cached("other", 6)).await;
    apply(&objects, "2", &cached("2", 7)).await;
    assert_eq!(server.lines(), [apply_line()]);
}

#[tokio::test(start_paused = true)]
async fn sends_a_reverted_state_while_the_cache_lags() {
    let server = Server::new([(200, live("2", 7)), (200, live("1", 8))]);
    let objects = objects(&server);
    apply(&objects, "2", &cached("1", 5)).await;
    // The cached object matches, but the live one does not.
    let applied = apply(&objects, "1", &cached("1", 5)).await;
    assert!(matches!(applied, Applied::Patched(_)));
    assert_eq!(server.lines(), [apply_line(), apply_line()]);
}

#[tokio::test(start_paused = true)]
async fn reverts_a_change_by_others() {
    let server = Server::new([(200, live("2", 7)), (200, live("2", 9))]);
    let objects = objects(&server);
    apply(&objects, "2", &cached("1", 5)).await;
    apply(&objects, "2", &cached("theirs", 8)).await;
    assert_eq!(server.lines(), [apply_line(), apply_line()]);
}

#[tokio::test(start_paused = true)]
async fn detects_reset_resource_versions() {
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
async fn sends_a_normalized_value_once() {
    // The server normalizes `1000m` to `1`.
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
    assert_eq!(server.lines(), [apply_line()], "new version, same content");

    apply(&objects, "1000m", &cached("theirs", 9)).await;
    assert_eq!(server.lines(), [apply_line()], "different content");
}
