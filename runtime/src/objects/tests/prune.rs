//! Requests of prune.

use std::sync::Arc;

use k8s_openapi::api::core::v1::ConfigMap;
use kube::ResourceExt;
use serde_json::{Value, json};

use super::{OWNER_UID, from, objects, owner, server::failure};
use crate::{objects::tests::Server, store::samples::synced};

fn child(name: &str, metadata: &Value) -> Arc<ConfigMap> {
    let mut object = json!({"metadata": {
        "name": name, "namespace": "default", "uid": format!("u-{name}"), "resourceVersion": "5",
        "ownerReferences": [{"apiVersion": "v1", "kind": "ConfigMap", "name": "a", "uid": OWNER_UID, "controller": true}],
    }});
    object["metadata"]
        .as_object_mut()
        .unwrap()
        .extend(metadata.as_object().unwrap().clone());
    Arc::new(from(object))
}

fn line(name: &str) -> String {
    format!("DELETE /api/v1/namespaces/default/configmaps/{name}?")
}

#[tokio::test]
async fn deletes_only_undesired_objects_that_the_owner_controls() {
    let server = Server::new([(200, json!({"kind": "Status", "status": "Success"}))]);
    let owned = [
        child("desired", &json!({})),
        child("old", &json!({})),
        child(
            "terminating",
            &json!({"deletionTimestamp": "2026-01-01T00:00:00Z"}),
        ),
        child("unowned", &json!({"ownerReferences": []})),
        child(
            "other-controller",
            &json!({"ownerReferences": [{"apiVersion": "v1", "kind": "ConfigMap", "name": "a", "uid": "u9", "controller": true}]}),
        ),
        child(
            "not-controller",
            &json!({"ownerReferences": [{"apiVersion": "v1", "kind": "ConfigMap", "name": "a", "uid": OWNER_UID}]}),
        ),
    ];
    let deleted = objects(&server)
        .prune_from(&owner(), owned, |object| object.name_any() == "desired")
        .await
        .unwrap();
    assert_eq!(deleted, 1);

    let requests = server.requests();
    assert_eq!(requests.len(), 1);
    assert_eq!(requests[0].line, line("old"));
    let expected = json!({"propagationPolicy": "Background", "preconditions": {"uid": "u-old", "resourceVersion": "5"}});
    assert_eq!(requests[0].body, expected);
}

#[tokio::test]
async fn continues_after_errors_and_returns_the_first() {
    let server = Server::new([
        failure(404, "NotFound", "gone"),
        failure(409, "Conflict", "changed"),
        failure(403, "Forbidden", "no"),
        (200, json!({"kind": "Status", "status": "Success"})),
    ]);
    let owned = ["a", "b", "c", "d"].map(|name| child(name, &json!({})));
    let error = objects(&server)
        .prune_from(&owner(), owned, |_| false)
        .await
        .unwrap_err();
    assert!(
        matches!(&error, kube::Error::Api(status) if status.is_conflict()),
        "{error}"
    );
    assert_eq!(server.lines(), ["a", "b", "c", "d"].map(line));
}

#[tokio::test]
async fn deletes_the_oldest_finished_objects_beyond_the_limit() {
    let created = |name: &str, minute: u32, data: &str| -> ConfigMap {
        let time = format!("2026-01-01T00:{minute:02}:00Z");
        let metadata = json!({ "creationTimestamp": time, "labels": {"state": data} });
        Arc::unwrap_or_clone(child(name, &metadata))
    };
    let (store, _handler) = synced([
        created("third", 3, "finished"),
        created("first", 1, "finished"),
        created("running", 0, "running"),
        created("second-b", 2, "finished"),
        created("second-a", 2, "finished"),
    ]);
    let deleted = (200, json!({"kind": "Status", "status": "Success"}));
    let server = Server::new([deleted.clone(), deleted]);
    let owner = owner();
    let is_finished = |object: &ConfigMap| object.labels()["state"] == "finished";
    let objects = objects(&server);
    let pruned = objects.prune_oldest(&owner, &store, 2, is_finished);
    assert_eq!(pruned.await.unwrap(), 2);
    assert_eq!(server.lines(), [line("first"), line("second-a")]);
    let pruned = objects.prune_oldest(&owner, &store, 4, is_finished);
    assert_eq!(pruned.await.unwrap(), 0);
}
