//! Requests of a prune.

use std::sync::Arc;

use k8s_openapi::api::core::v1::ConfigMap;
use kube::ResourceExt;
use serde_json::{Value, json};

use super::{OWNER_UID, from, objects, owner, server::failure};
use crate::objects::tests::Server;

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
async fn only_what_the_owner_controls_and_does_not_want_is_deleted() {
    let server = Server::new([(200, json!({"kind": "Status", "status": "Success"}))]);
    let owned = [
        child("wanted", &json!({})),
        child("old", &json!({})),
        child(
            "going",
            &json!({"deletionTimestamp": "2026-01-01T00:00:00Z"}),
        ),
        child("nobodys", &json!({"ownerReferences": []})),
        child(
            "anothers",
            &json!({"ownerReferences": [{"apiVersion": "v1", "kind": "ConfigMap", "name": "a", "uid": "u9", "controller": true}]}),
        ),
        child(
            "seconds",
            &json!({"ownerReferences": [{"apiVersion": "v1", "kind": "ConfigMap", "name": "a", "uid": OWNER_UID}]}),
        ),
    ];
    let deleted = objects(&server)
        .prune_from(&owner(), owned, |found| found.name_any() == "wanted")
        .await
        .unwrap();
    assert_eq!(deleted, 1);

    let asked = server.asked();
    assert_eq!(asked.len(), 1);
    assert_eq!(asked[0].line, line("old"));
    let expected = json!({"propagationPolicy": "Background", "preconditions": {"uid": "u-old", "resourceVersion": "5"}});
    assert_eq!(asked[0].body, expected);
}

#[tokio::test]
async fn an_error_does_not_keep_the_others() {
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
    assert!(error.to_string().contains("changed"), "{error}");
    assert_eq!(server.lines(), ["a", "b", "c", "d"].map(line));
}
