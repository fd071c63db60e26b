//! Requests of apply.

use k8s_openapi::api::{apps::v1::Deployment, core::v1::ConfigMap, rbac::v1::ClusterRole};
use kube::ResourceExt;
use serde_json::{Value, json};

use super::{MANAGER, OWNER_UID, fixture, from, objects, owner, server::failure};
use crate::{
    objects::{Applied, ApplyError, tests::Server},
    store::compact::deserialize_response,
};

pub(super) const URL: &str = "/api/v1/namespaces/default/configmaps/c";

pub(super) fn apply_line() -> String {
    format!("PATCH {URL}?&force=true&fieldManager={MANAGER}&fieldValidation=Ignore")
}

pub(super) fn get_line() -> String {
    format!("GET {URL}")
}

pub(super) fn desired(value: &str) -> ConfigMap {
    from(json!({"metadata": {"name": "c"}, "data": {"k": value}}))
}

fn reference(uid: &str) -> Value {
    json!({"apiVersion": "v1", "kind": "ConfigMap", "name": "a", "uid": uid, "controller": true, "blockOwnerDeletion": true})
}

/// Returns the live object after applying `desired(value)`.
pub(super) fn live(value: &str, version: u64) -> Value {
    let key = format!("k:{{\"uid\":\"{OWNER_UID}\"}}");
    json!({
        "apiVersion": "v1", "kind": "ConfigMap",
        "metadata": {
            "name": "c", "namespace": "default", "uid": "u1", "resourceVersion": version.to_string(),
            "ownerReferences": [reference(OWNER_UID)],
            "managedFields": [{
                "manager": MANAGER, "operation": "Apply", "apiVersion": "v1", "fieldsType": "FieldsV1",
                "fieldsV1": {"f:data": {"f:k": {}}, "f:metadata": {"f:ownerReferences": {key: {}}}},
            }],
        },
        "data": {"k": value},
    })
}

/// Returns the object that apply returns for a response.
fn response_object(response: &Value) -> ConfigMap {
    deserialize_response(&response.to_string(), MANAGER).unwrap()
}

#[tokio::test]
async fn creates_with_one_request_that_does_not_update() {
    let server = Server::new([(201, live("1", 5))]);
    let applied = objects(&server)
        .apply_with_cached(&owner(), desired("1"), None)
        .await
        .unwrap();
    assert_eq!(applied, Applied::Created(response_object(&live("1", 5))));

    let requests = server.requests();
    assert_eq!(requests.len(), 1);
    assert_eq!(requests[0].line, apply_line());
    assert_eq!(requests[0].content_type, "application/apply-patch+yaml");
    let expected = json!({
        "apiVersion": "v1", "kind": "ConfigMap",
        "metadata": {"name": "c", "namespace": "default", "resourceVersion": "1", "ownerReferences": [reference(OWNER_UID)]},
        "data": {"k": "1"},
    });
    assert_eq!(requests[0].body, expected);
}

#[tokio::test]
async fn sends_no_request_if_the_cached_object_matches() {
    let server = Server::default();
    let cached: ConfigMap = from(live("1", 5));
    let applied = objects(&server)
        .apply_with_cached(&owner(), desired("1"), Some(&cached))
        .await
        .unwrap();
    assert_eq!(applied, Applied::Unchanged(cached.into()));

    // Namespace and reference are set by the owner, not by the fixture.
    let (desired, live) = fixture!("deployment");
    let (mut desired, cached): (Deployment, Deployment) = (
        serde_json::from_str(desired).unwrap(),
        serde_json::from_str(live).unwrap(),
    );
    desired.metadata.owner_references = None;
    desired.metadata.namespace = None;
    let applied = objects(&server)
        .apply_with_cached(&owner(), desired, Some(&cached))
        .await
        .unwrap();
    assert_eq!(applied, Applied::Unchanged(cached.into()));
    assert_eq!(server.requests(), []);
}

#[tokio::test]
async fn an_owned_object_cannot_be_applied_as_unowned() {
    let server = Server::default();
    let mut desired = desired("1");
    desired.metadata.namespace = Some("default".to_owned());
    let result = objects(&server)
        .apply_unowned_with_cached(desired, Some(&from(live("1", 5))))
        .await;
    assert!(matches!(result, Err(ApplyError::AlreadyOwned { .. })));
    assert_eq!(server.requests(), []);
}

#[tokio::test]
async fn an_update_contains_the_uid_of_the_cached_object() {
    let server = Server::new([(200, live("2", 6))]);
    let cached: ConfigMap = from(live("1", 5));
    let applied = objects(&server)
        .apply_with_cached(&owner(), desired("2"), Some(&cached))
        .await
        .unwrap();
    assert_eq!(applied, Applied::Patched(response_object(&live("2", 6))));
    let requests = server.requests();
    assert_eq!(requests[0].line, apply_line());
    assert_eq!(requests[0].body["metadata"]["uid"], "u1");
    assert_eq!(requests[0].body["metadata"].get("resourceVersion"), None);
    assert_eq!(requests[0].body["data"], json!({"k": "2"}));
}

#[tokio::test]
async fn removes_a_field_that_is_no_longer_desired() {
    let server = Server::new([(200, live("1", 6))]);
    let mut cached = live("1", 5);
    cached["data"]["old"] = json!("x");
    cached["metadata"]["managedFields"][0]["fieldsV1"]["f:data"]["f:old"] = json!({});
    objects(&server)
        .apply_with_cached(&owner(), desired("1"), Some(&from(cached)))
        .await
        .unwrap();
    assert_eq!(server.lines(), [apply_line()]);
}

#[tokio::test]
async fn sends_a_request_without_a_record_of_our_fields() {
    let entry = live("1", 5)["metadata"]["managedFields"][0].clone();
    let with = |field: &str, value: &str| {
        let mut entry = entry.clone();
        entry[field] = json!(value);
        json!([entry])
    };
    let cases = [
        json!([]),
        with("manager", "kubectl"),
        with("operation", "Update"),
        with("apiVersion", "v0"),
        with("subresource", "status"),
        json!([entry, entry]),
    ];
    for managers in cases {
        let mut cached = live("1", 5);
        cached["metadata"]["managedFields"] = managers.clone();
        let server = Server::new([(200, live("1", 6))]);
        objects(&server)
            .apply_with_cached(&owner(), desired("1"), Some(&from(cached)))
            .await
            .unwrap();
        assert_eq!(server.lines(), [apply_line()], "{managers}");
    }
}

#[tokio::test]
async fn reads_an_existing_object_that_is_missing_from_the_cache() {
    let server = Server::new([failure(409, "Conflict", "modified"), (200, live("1", 5))]);
    let applied = objects(&server)
        .apply_with_cached(&owner(), desired("1"), None)
        .await
        .unwrap();
    assert_eq!(
        applied,
        Applied::Unchanged(response_object(&live("1", 5)).into())
    );
    assert_eq!(server.lines(), [apply_line(), get_line()]);
}

#[tokio::test]
async fn rejects_an_object_with_another_controller() {
    let mut other = live("1", 5);
    other["metadata"]["ownerReferences"] = json!([reference("u9")]);

    let server = Server::default();
    let error = objects(&server)
        .apply_with_cached(&owner(), desired("2"), Some(&from(other.clone())))
        .await
        .unwrap_err();
    assert_eq!(
        error.to_string(),
        "failed to apply ConfigMap.v1./c.default for ConfigMap.v1./a.default: it is controlled by ConfigMap a (uid u9); use another name"
    );
    assert_eq!(server.requests(), []);

    let server = Server::new([failure(409, "Conflict", "modified"), (200, other)]);
    let error = objects(&server)
        .apply_with_cached(&owner(), desired("2"), None)
        .await
        .unwrap_err();
    assert!(matches!(error, ApplyError::AlreadyOwned { .. }), "{error}");
    assert_eq!(server.lines(), [apply_line(), get_line()]);
}

#[tokio::test]
async fn rejects_an_object_created_by_a_user() {
    let foreign = json!({"metadata": {"name": "c", "namespace": "default", "uid": "u1", "resourceVersion": "5"}, "data": {"k": "1"}});
    let server = Server::new([failure(409, "Conflict", "modified"), (200, foreign.clone())]);
    let error = objects(&server)
        .apply_with_cached(&owner(), desired("2"), None)
        .await
        .unwrap_err();
    assert!(matches!(error, ApplyError::AlreadyExists { .. }), "{error}");
    assert_eq!(server.lines(), [apply_line(), get_line()]);

    let server = Server::new([(200, live("2", 6))]);
    let applied = objects(&server)
        .apply_with_cached(&owner(), desired("2"), Some(&from(foreign)))
        .await
        .unwrap();
    assert!(
        matches!(applied, Applied::Unchanged(_)),
        "the cache had dropped the managed fields"
    );
    assert_eq!(server.lines(), [get_line()]);
}

#[tokio::test]
async fn reads_a_recreated_object_before_updating_it() {
    let mut other = live("1", 8);
    other["metadata"]["uid"] = json!("u2");
    let mut updated = live("2", 9);
    updated["metadata"]["uid"] = json!("u2");
    let (code, mut immutable) = failure(422, "Invalid", "uid");
    immutable["details"] = json!({"causes": [{"field": "metadata.uid", "message": "field is immutable", "reason": "FieldValueInvalid"}]});
    let server = Server::new([(code, immutable), (200, other), (200, updated)]);
    let applied = objects(&server)
        .apply_with_cached(&owner(), desired("2"), Some(&from(live("1", 5))))
        .await
        .unwrap();
    assert!(matches!(applied, Applied::Patched(_)));
    let requests = server.requests();
    assert_eq!(requests[2].body["metadata"]["uid"], "u2");
}

#[tokio::test]
async fn recreates_an_object_that_was_deleted_since_it_was_cached() {
    let server = Server::new([
        failure(409, "Conflict", "uid"),
        failure(404, "NotFound", "gone"),
        (201, live("2", 9)),
    ]);
    let applied = objects(&server)
        .apply_with_cached(&owner(), desired("2"), Some(&from(live("1", 5))))
        .await
        .unwrap();
    assert!(matches!(applied, Applied::Created(_)));
    let requests = server.requests();
    assert_eq!(requests[2].body["metadata"]["resourceVersion"], "1");
}

#[tokio::test]
async fn does_not_retry_other_errors() {
    let server = Server::new([failure(
        403,
        "Forbidden",
        "cannot patch resource \"configmaps\"",
    )]);
    let error = objects(&server)
        .apply_with_cached(&owner(), desired("1"), None)
        .await
        .unwrap_err();
    assert!(
        matches!(&error, ApplyError::Api { object, source: kube::Error::Api(status) }
            if object == "ConfigMap.v1./c.default" && status.is_forbidden()),
        "{error}"
    );
    assert_eq!(server.requests().len(), 1);
}

#[tokio::test]
async fn applies_cluster_scoped_objects() {
    let role = json!({"apiVersion": "rbac.authorization.k8s.io/v1", "kind": "ClusterRole", "metadata": {"name": "r", "uid": "u"}});
    let server = Server::new([(201, role.clone())]);
    let applied = objects(&server)
        .apply_unowned_with_cached(from::<ClusterRole>(role), None)
        .await
        .unwrap();
    assert_eq!(applied.into_object().name_any(), "r");
    let line = format!(
        "PATCH /apis/rbac.authorization.k8s.io/v1/clusterroles/r?&force=true&fieldManager={MANAGER}&fieldValidation=Ignore"
    );
    assert_eq!(server.lines(), [line]);
}

#[tokio::test]
async fn falls_back_to_post_if_the_server_checks_the_version_of_missing_objects() {
    let conflict = || failure(409, "Conflict", "the object has been modified");
    let missing = || failure(404, "NotFound", "not found");
    let server = Server::new([
        conflict(),
        missing(),
        conflict(),
        (201, live("1", 5)),
        (200, live("1", 6)),
    ]);
    let applied = objects(&server)
        .apply_with_cached(&owner(), desired("1"), None)
        .await
        .unwrap();
    assert_eq!(applied, Applied::Created(response_object(&live("1", 6))));
    let requests = server.requests();
    let lines: Vec<_> = requests
        .iter()
        .map(|requests| requests.line.as_str())
        .collect();
    let post = format!("POST /api/v1/namespaces/default/configmaps?&fieldManager={MANAGER}");
    let (apply, get) = (apply_line(), get_line());
    assert_eq!(lines, [&*apply, &*get, &*apply, &*post, &*apply]);
    let metadata = &requests[3].body["metadata"];
    assert_eq!(metadata["name"], "c");
    assert_eq!(metadata["resourceVersion"], Value::Null);
    assert_eq!(requests[4].body["metadata"]["uid"], "u1");

    // Another client created the object.
    let exists = failure(409, "AlreadyExists", "already exists");
    let server = Server::new([conflict(), missing(), conflict(), exists]);
    objects(&server)
        .apply_with_cached(&owner(), desired("1"), None)
        .await
        .unwrap_err();
    assert_eq!(server.requests().len(), 4);
}
