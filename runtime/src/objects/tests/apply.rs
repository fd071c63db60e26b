//! Requests of an apply.

use k8s_openapi::api::{apps::v1::Deployment, core::v1::ConfigMap, rbac::v1::ClusterRole};
use kube::ResourceExt;
use serde_json::{Value, json};

use super::{MANAGER, OWNER_UID, fixture, from, objects, owner, server::failure};
use crate::{
    objects::{Applied, ApplyError, tests::Server},
    store::packed,
};

pub(super) const URL: &str = "/api/v1/namespaces/default/configmaps/c";

pub(super) fn apply_line() -> String {
    format!("PATCH {URL}?&force=true&fieldManager={MANAGER}&fieldValidation=Ignore")
}

pub(super) fn get_line() -> String {
    format!("GET {URL}")
}

pub(super) fn wanted(value: &str) -> ConfigMap {
    from(json!({"metadata": {"name": "c"}, "data": {"k": value}}))
}

fn reference(uid: &str) -> Value {
    json!({"apiVersion": "v1", "kind": "ConfigMap", "name": "a", "uid": uid, "controller": true, "blockOwnerDeletion": true})
}

/// As the server has it after an apply of `wanted(value)`.
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

/// What an apply gives of the server's answer.
fn answered(answer: &Value) -> ConfigMap {
    packed::read(answer.to_string(), MANAGER).unwrap()
}

#[tokio::test]
async fn creating_takes_one_request_that_takes_over_nothing() {
    let server = Server::new([(201, live("1", 5))]);
    let applied = objects(&server)
        .apply_with_cached(&owner(), wanted("1"), None)
        .await
        .unwrap();
    assert_eq!(applied, Applied::Created(answered(&live("1", 5))));

    let asked = server.asked();
    assert_eq!(asked.len(), 1);
    assert_eq!(asked[0].line, apply_line());
    assert_eq!(asked[0].content_type, "application/apply-patch+yaml");
    let expected = json!({
        "apiVersion": "v1", "kind": "ConfigMap",
        "metadata": {"name": "c", "namespace": "default", "resourceVersion": "1", "ownerReferences": [reference(OWNER_UID)]},
        "data": {"k": "1"},
    });
    assert_eq!(asked[0].body, expected);
}

#[tokio::test]
async fn nothing_is_sent_when_the_cached_object_holds_all() {
    let server = Server::default();
    let cached: ConfigMap = from(live("1", 5));
    let applied = objects(&server)
        .apply_with_cached(&owner(), wanted("1"), Some(&cached))
        .await
        .unwrap();
    assert_eq!(applied, Applied::Unchanged(cached.into()));

    // From the owner's namespace and reference, not from the fixture's.
    let (wanted, live) = fixture!("deployment");
    let (mut wanted, cached): (Deployment, Deployment) = (
        serde_json::from_str(wanted).unwrap(),
        serde_json::from_str(live).unwrap(),
    );
    wanted.metadata.owner_references = None;
    wanted.metadata.namespace = None;
    let applied = objects(&server)
        .apply_with_cached(&owner(), wanted, Some(&cached))
        .await
        .unwrap();
    assert_eq!(applied, Applied::Unchanged(cached.into()));
    assert_eq!(server.asked(), []);
}

#[tokio::test]
async fn an_owned_object_is_not_ours_without_its_owner() {
    let server = Server::default();
    let mut wanted = wanted("1");
    wanted.metadata.namespace = Some("default".to_owned());
    let refused = objects(&server)
        .apply_unowned_with_cached(wanted, Some(&from(live("1", 5))))
        .await;
    assert!(matches!(refused, Err(ApplyError::AlreadyOwned { .. })));
    assert_eq!(server.asked(), []);
}

#[tokio::test]
async fn a_change_is_sent_to_the_object_that_was_seen() {
    let server = Server::new([(200, live("2", 6))]);
    let cached: ConfigMap = from(live("1", 5));
    let applied = objects(&server)
        .apply_with_cached(&owner(), wanted("2"), Some(&cached))
        .await
        .unwrap();
    assert_eq!(applied, Applied::Patched(answered(&live("2", 6))));
    let asked = server.asked();
    assert_eq!(asked[0].line, apply_line());
    assert_eq!(asked[0].body["metadata"]["uid"], "u1");
    assert_eq!(asked[0].body["metadata"].get("resourceVersion"), None);
    assert_eq!(asked[0].body["data"], json!({"k": "2"}));
}

#[tokio::test]
async fn a_field_no_longer_wanted_is_removed() {
    let server = Server::new([(200, live("1", 6))]);
    let mut cached = live("1", 5);
    cached["data"]["old"] = json!("x");
    cached["metadata"]["managedFields"][0]["fieldsV1"]["f:data"]["f:old"] = json!({});
    objects(&server)
        .apply_with_cached(&owner(), wanted("1"), Some(&from(cached)))
        .await
        .unwrap();
    assert_eq!(server.lines(), [apply_line()]);
}

#[tokio::test]
async fn without_a_record_of_ours_it_is_sent() {
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
            .apply_with_cached(&owner(), wanted("1"), Some(&from(cached)))
            .await
            .unwrap();
        assert_eq!(server.lines(), [apply_line()], "{managers}");
    }
}

#[tokio::test]
async fn an_object_that_the_cache_does_not_have_yet_is_read_and_left_alone() {
    let server = Server::new([failure(409, "Conflict", "modified"), (200, live("1", 5))]);
    let applied = objects(&server)
        .apply_with_cached(&owner(), wanted("1"), None)
        .await
        .unwrap();
    assert_eq!(applied, Applied::Unchanged(answered(&live("1", 5)).into()));
    assert_eq!(server.lines(), [apply_line(), get_line()]);
}

#[tokio::test]
async fn what_another_has_is_refused() {
    let mut theirs = live("1", 5);
    theirs["metadata"]["ownerReferences"] = json!([reference("u9")]);

    let server = Server::default();
    let error = objects(&server)
        .apply_with_cached(&owner(), wanted("2"), Some(&from(theirs.clone())))
        .await
        .unwrap_err();
    let message = error.to_string();
    assert!(
        message.contains("ConfigMap.v1./c.default") && message.contains("ConfigMap a (uid u9)"),
        "{message}"
    );
    assert_eq!(server.asked(), []);

    let server = Server::new([failure(409, "Conflict", "modified"), (200, theirs)]);
    let error = objects(&server)
        .apply_with_cached(&owner(), wanted("2"), None)
        .await
        .unwrap_err();
    assert!(matches!(error, ApplyError::AlreadyOwned { .. }), "{error}");
    assert_eq!(server.lines(), [apply_line(), get_line()]);
}

#[tokio::test]
async fn what_a_user_made_is_refused() {
    let users = json!({"metadata": {"name": "c", "namespace": "default", "uid": "u1", "resourceVersion": "5"}, "data": {"k": "1"}});
    let server = Server::new([failure(409, "Conflict", "modified"), (200, users.clone())]);
    let error = objects(&server)
        .apply_with_cached(&owner(), wanted("2"), None)
        .await
        .unwrap_err();
    assert!(matches!(error, ApplyError::AlreadyExists { .. }), "{error}");
    assert_eq!(server.lines(), [apply_line(), get_line()]);

    let server = Server::new([(200, live("2", 6))]);
    let applied = objects(&server)
        .apply_with_cached(&owner(), wanted("2"), Some(&from(users)))
        .await
        .unwrap();
    assert!(
        matches!(applied, Applied::Unchanged(_)),
        "the cache had dropped whose it is"
    );
    assert_eq!(server.lines(), [get_line()]);
}

#[tokio::test]
async fn an_object_replaced_behind_the_cache_is_judged_anew() {
    let mut other = live("1", 8);
    other["metadata"]["uid"] = json!("u2");
    let mut sent = live("2", 9);
    sent["metadata"]["uid"] = json!("u2");
    let (code, mut immutable) = failure(422, "Invalid", "uid");
    immutable["details"] = json!({"causes": [{"field": "metadata.uid", "message": "field is immutable", "reason": "FieldValueInvalid"}]});
    let server = Server::new([(code, immutable), (200, other), (200, sent)]);
    let applied = objects(&server)
        .apply_with_cached(&owner(), wanted("2"), Some(&from(live("1", 5))))
        .await
        .unwrap();
    assert!(matches!(applied, Applied::Patched(_)));
    let asked = server.asked();
    assert_eq!(asked[2].body["metadata"]["uid"], "u2");
}

#[tokio::test]
async fn an_object_deleted_behind_the_cache_is_made_again() {
    let server = Server::new([
        failure(409, "Conflict", "uid"),
        failure(404, "NotFound", "gone"),
        (201, live("2", 9)),
    ]);
    let applied = objects(&server)
        .apply_with_cached(&owner(), wanted("2"), Some(&from(live("1", 5))))
        .await
        .unwrap();
    assert!(matches!(applied, Applied::Created(_)));
    let asked = server.asked();
    assert_eq!(asked[2].body["metadata"]["resourceVersion"], "1");
}

#[tokio::test]
async fn other_errors_name_the_object_and_are_not_tried_again_here() {
    let server = Server::new([failure(
        403,
        "Forbidden",
        "cannot patch resource \"configmaps\"",
    )]);
    let error = objects(&server)
        .apply_with_cached(&owner(), wanted("1"), None)
        .await
        .unwrap_err();
    let message = error.to_string();
    assert!(
        message.contains("ConfigMap.v1./c.default") && message.contains("cannot patch"),
        "{message}"
    );
    assert_eq!(server.asked().len(), 1);
}

#[tokio::test]
async fn cluster_wide_objects_are_applied_without_a_namespace() {
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
async fn a_server_that_checks_the_version_of_what_does_not_exist_is_sent_a_post() {
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
        .apply_with_cached(&owner(), wanted("1"), None)
        .await
        .unwrap();
    assert_eq!(applied, Applied::Created(answered(&live("1", 6))));
    let asked = server.asked();
    let lines: Vec<_> = asked.iter().map(|asked| asked.line.as_str()).collect();
    let post = format!("POST /api/v1/namespaces/default/configmaps?&fieldManager={MANAGER}");
    let (apply, get) = (apply_line(), get_line());
    assert_eq!(lines, [&*apply, &*get, &*apply, &*post, &*apply]);
    let metadata = &asked[3].body["metadata"];
    assert_eq!(metadata["name"], "c");
    assert_eq!(metadata["resourceVersion"], Value::Null);
    assert_eq!(asked[4].body["metadata"]["uid"], "u1");

    // Somebody was faster: an error, and nothing is taken over.
    let exists = failure(409, "AlreadyExists", "already exists");
    let server = Server::new([conflict(), missing(), conflict(), exists]);
    objects(&server)
        .apply_with_cached(&owner(), wanted("1"), None)
        .await
        .unwrap_err();
    assert_eq!(server.asked().len(), 4);
}
