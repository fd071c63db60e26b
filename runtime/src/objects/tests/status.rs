//! Requests of `patch_status`.

use k8s_openapi::api::{
    apps::v1::{Deployment, DeploymentStatus},
    core::v1::ConfigMap,
};
use serde_json::{Value, json};

use super::{
    MANAGER,
    apply::{desired, live},
    from, objects, owner,
    server::failure,
};
use crate::objects::tests::Server;

fn deployment(version: u64, status: &Value) -> Value {
    json!({
        "metadata": {"name": "d", "namespace": "default", "uid": "u", "resourceVersion": version.to_string()},
        "spec": {"selector": {}, "template": {}},
        "status": status,
    })
}

fn condition(type_: &str) -> Value {
    json!({"type": type_, "status": "True"})
}

fn status(value: Value) -> DeploymentStatus {
    from(value)
}

#[tokio::test(start_paused = true)]
async fn sends_no_request_for_an_equal_status() {
    let server = Server::default();
    let objects = objects(&server);
    let same = json!({"replicas": 2, "conditions": [condition("Available")]});
    let object: Deployment = from(deployment(5, &same));
    assert_eq!(
        objects.patch_status(&object, &status(same)).await.unwrap(),
        None
    );

    let never_written: Deployment = from(deployment(5, &Value::Null));
    assert_eq!(
        objects
            .patch_status(&never_written, &json!({}))
            .await
            .unwrap(),
        None
    );
    assert_eq!(server.requests(), []);
}

#[tokio::test(start_paused = true)]
async fn sends_changed_fields_and_null_for_removed_ones() {
    let old = json!({"replicas": 2, "readyReplicas": 1, "collisionCount": 3, "conditions": [condition("Available")]});
    let new = json!({"replicas": 2, "readyReplicas": 2, "conditions": [condition("Available"), condition("Progressing")]});
    let response = deployment(6, &new);
    let server = Server::new([(200, response.clone())]);
    let object: Deployment = from(deployment(5, &old));
    let written = objects(&server)
        .patch_status(&object, &status(new.clone()))
        .await
        .unwrap();
    assert_eq!(written, Some(from(response)));

    let requests = server.requests();
    assert_eq!(
        requests[0].line,
        format!(
            "PATCH /apis/apps/v1/namespaces/default/deployments/d/status?&fieldManager={MANAGER}"
        )
    );
    assert_eq!(requests[0].content_type, "application/merge-patch+json");
    let expected = json!({
        "metadata": {"resourceVersion": "5"},
        "status": {"readyReplicas": 2, "collisionCount": null, "conditions": new["conditions"]},
    });
    assert_eq!(requests[0].body, expected);
}

#[tokio::test(start_paused = true)]
async fn compares_nested_fields() {
    let server = Server::new([(200, deployment(6, &json!({})))]);
    let object: Deployment = from(deployment(5, &json!({"replicas": 1})));
    let new = json!({"replicas": 1, "a": {"b": {}, "c": null}, "d": null});
    objects(&server).patch_status(&object, &new).await.unwrap();
    assert_eq!(
        server.requests()[0].body["status"],
        json!({"a": {"b": {}, "c": null}})
    );
}

#[tokio::test(start_paused = true)]
async fn a_conflict_is_an_error() {
    let server = Server::new([failure(409, "Conflict", "modified")]);
    let object: Deployment = from(deployment(5, &json!({})));
    let error = objects(&server)
        .patch_status(&object, &status(json!({"replicas": 1})))
        .await
        .unwrap_err();
    assert!(matches!(error, kube::Error::Api(status) if status.is_conflict()));
}

#[tokio::test(start_paused = true)]
async fn does_not_send_again_while_the_cache_lags() {
    let server = Server::new([
        (200, deployment(7, &json!({"replicas": 2}))),
        (200, deployment(8, &json!({"replicas": 1}))),
    ]);
    let objects = objects(&server);
    let old: Deployment = from(deployment(5, &json!({"replicas": 1})));
    objects
        .patch_status(&old, &status(json!({"replicas": 2})))
        .await
        .unwrap()
        .unwrap();
    assert_eq!(
        objects
            .patch_status(&old, &status(json!({"replicas": 2})))
            .await
            .unwrap(),
        None
    );
    assert_eq!(server.requests().len(), 1);

    // The cached status matches, but the live one does not.
    let back = status(json!({"replicas": 1}));
    let error = objects.patch_status(&old, &back).await.unwrap_err();
    assert!(matches!(error, kube::Error::Api(status) if status.is_conflict()));
    assert_eq!(
        server.requests().len(),
        0,
        "the server would return a conflict"
    );
    let new: Deployment = from(deployment(7, &json!({"replicas": 2})));
    objects.patch_status(&new, &back).await.unwrap().unwrap();
    assert_eq!(server.requests()[0].body["status"], json!({"replicas": 1}));
}

#[tokio::test(start_paused = true)]
async fn sends_a_request_if_the_cache_does_not_catch_up() {
    let server = Server::new([
        (200, deployment(700, &json!({"replicas": 2}))),
        (200, deployment(6, &json!({"replicas": 3}))),
    ]);
    let objects = objects(&server);
    let old: Deployment = from(deployment(5, &json!({"replicas": 1})));
    let write = async |replicas| {
        let status = status(json!({"replicas": replicas}));
        objects.patch_status(&old, &status).await
    };
    write(2).await.unwrap();
    write(3).await.unwrap_err();
    // etcd was restored from a backup, which resets the versions.
    tokio::time::advance(std::time::Duration::from_secs(30)).await;
    write(3).await.unwrap();
    assert_eq!(server.requests().len(), 2);
}

#[tokio::test(start_paused = true)]
async fn waits_for_an_object_that_was_applied_since() {
    let server = Server::new([(200, live("2", 7))]);
    let objects = objects(&server);
    let old: ConfigMap = from(live("1", 5));
    let applied = objects
        .apply_with_cached(&owner(), desired("2"), Some(&old))
        .await;
    applied.unwrap();
    let error = objects.patch_status(&old, &json!({"a": 1})).await;
    assert!(matches!(error, Err(kube::Error::Api(status)) if status.is_conflict()));
    assert_eq!(server.requests().len(), 1);
}

#[tokio::test(start_paused = true)]
async fn sends_a_dropped_field_once() {
    let server = Server::new([(200, deployment(7, &json!({"replicas": 2})))]);
    let objects = objects(&server);
    let new = json!({"replicas": 2, "notInTheSchema": 1});
    objects
        .patch_status::<Deployment, _>(&from(deployment(5, &json!({}))), &new)
        .await
        .unwrap();
    for version in [7, 8] {
        let object: Deployment = from(deployment(version, &json!({"replicas": 2})));
        assert_eq!(objects.patch_status(&object, &new).await.unwrap(), None);
    }
    assert_eq!(server.requests().len(), 1);
}

#[tokio::test(start_paused = true)]
async fn ignores_transition_times_while_the_cache_lags() {
    let ready = |time: &str| {
        let mut ready = condition("Ready");
        ready["lastTransitionTime"] = json!(time);
        json!({"replicas": 1, "conditions": [ready]})
    };
    let server = Server::new([
        (200, deployment(7, &ready("2026-01-01T00:00:01Z"))),
        (200, deployment(8, &json!({}))),
    ]);
    let objects = objects(&server);
    let old: Deployment = from(deployment(5, &json!({"replicas": 1})));
    let write = async |time| objects.patch_status(&old, &ready(time)).await.unwrap();
    assert!(write("2026-01-01T00:00:01Z").await.is_some());
    assert_eq!(write("2026-01-01T00:00:02Z").await, None);
    assert_eq!(server.requests().len(), 1);

    let mut other = ready("2026-01-01T00:00:03Z");
    other["conditions"][0]["status"] = json!("False");
    objects.patch_status(&old, &other).await.unwrap_err();
    let new: Deployment = from(deployment(7, &ready("2026-01-01T00:00:01Z")));
    let written = objects.patch_status(&new, &other).await.unwrap();
    assert!(written.is_some(), "another status");
}

#[tokio::test(start_paused = true)]
async fn sends_changed_conditions_of_other_types() {
    let server = Server::new([
        (200, deployment(7, &json!({}))),
        (200, deployment(8, &json!({}))),
    ]);
    let objects = objects(&server);
    for (version, conditions) in [(5, "one"), (7, "two")] {
        let status = json!({"conditions": [conditions]});
        let object: Deployment = from(deployment(version, &json!({})));
        let written = objects.patch_status(&object, &status).await.unwrap();
        assert!(written.is_some(), "{conditions}");
    }
    assert_eq!(server.requests().len(), 2);
}
