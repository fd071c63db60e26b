//! Readiness of each kind of owned object.

use k8s_openapi::{
    api::{
        apps::v1::{DaemonSet, Deployment, StatefulSet},
        batch::v1::Job,
        core::v1::ConfigMap,
    },
    apimachinery::pkg::apis::meta::v1::Condition,
};
use kube::Resource;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use crate::objects::{
    Readiness, conditions,
    readiness::{STALLED, failed},
};

fn condition<K>(spec: &Value, status: &Value) -> Condition
where
    K: Resource<DynamicType = ()> + DeserializeOwned + 'static,
{
    let object = json!({
        "metadata": {"name": "a", "namespace": "b", "generation": 2},
        "spec": spec,
        "status": status,
    });
    let object: K = serde_json::from_value(object).unwrap();
    let mut readiness = Readiness::default();
    readiness.observe(&object);
    let mut conditions = Vec::new();
    readiness.set_on(&mut conditions, Some(7));
    conditions.remove(0)
}

/// Asserts status, reason and the message without the name of the object.
fn assert_ready<K>(spec: &Value, status: &Value, expected: Result<(), (&str, &str)>)
where
    K: Resource<DynamicType = ()> + DeserializeOwned + 'static,
{
    let condition = condition::<K>(spec, status);
    let found = if condition.status == "True" {
        Ok(())
    } else {
        let (_, message) = condition.message.split_once(".b ").unwrap();
        Err((condition.reason.as_str(), message))
    };
    assert_eq!(found, expected, "{status}");
}

fn workload(replicas: i32) -> Value {
    json!({"replicas": replicas, "serviceName": "", "selector": {}, "template": {}})
}

#[test]
fn a_deployment_is_ready_when_all_replicas_are_updated_and_available() {
    let check = |status: Value, expected| {
        assert_ready::<Deployment>(&workload(3), &status, expected);
    };
    let progressing = |message| Err(("Progressing", message));
    check(
        Value::Null,
        progressing("has not been observed by its controller"),
    );
    check(
        json!({"observedGeneration": 1, "replicas": 3, "updatedReplicas": 3, "availableReplicas": 3}),
        progressing("has not been observed by its controller"),
    );
    check(
        json!({"observedGeneration": 2, "replicas": 3, "updatedReplicas": 1, "availableReplicas": 3}),
        progressing("has 1 of 3 replicas updated"),
    );
    check(
        json!({"observedGeneration": 2, "replicas": 4, "updatedReplicas": 3, "availableReplicas": 4}),
        progressing("has 1 old replicas to terminate"),
    );
    check(
        json!({"observedGeneration": 2, "replicas": 3, "updatedReplicas": 3, "availableReplicas": 2}),
        progressing("has 2 of 3 replicas available"),
    );
    check(
        json!({"observedGeneration": 2, "replicas": 3, "updatedReplicas": 3, "availableReplicas": 3}),
        Ok(()),
    );
    let exceeded =
        json!({"type": "Progressing", "status": "False", "reason": "ProgressDeadlineExceeded"});
    check(
        json!({"observedGeneration": 2, "replicas": 3, "updatedReplicas": 3, "conditions": [exceeded]}),
        Err(("ProgressDeadlineExceeded", "exceeded its progress deadline")),
    );
    let scaled_to_zero = json!({"observedGeneration": 2});
    assert_ready::<Deployment>(&workload(0), &scaled_to_zero, Ok(()));
}

#[test]
fn a_stateful_set_respects_its_update_strategy() {
    let status = json!({"observedGeneration": 2, "replicas": 3, "updatedReplicas": 1, "availableReplicas": 3});
    let mut spec = workload(3);
    let outdated = Err(("Progressing", "has 1 of 3 replicas updated"));
    assert_ready::<StatefulSet>(&spec, &status, outdated);
    spec["updateStrategy"] = json!({"type": "RollingUpdate", "rollingUpdate": {"partition": 2}});
    assert_ready::<StatefulSet>(&spec, &status, Ok(()));
    spec["updateStrategy"] = json!({"type": "OnDelete"});
    assert_ready::<StatefulSet>(&spec, &status, Ok(()));
    let status = json!({"observedGeneration": 2, "replicas": 3, "updatedReplicas": 3, "availableReplicas": 2});
    let unavailable = Err(("Progressing", "has 2 of 3 replicas available"));
    assert_ready::<StatefulSet>(&spec, &status, unavailable);
}

#[test]
fn a_daemon_set_is_ready_when_all_nodes_are() {
    let check = |updated: i32, available: i32, expected| {
        let status = json!({
            "observedGeneration": 2, "desiredNumberScheduled": 2, "currentNumberScheduled": 2, "numberMisscheduled": 0,
            "numberReady": available, "updatedNumberScheduled": updated, "numberAvailable": available,
        });
        assert_ready::<DaemonSet>(&workload(0), &status, expected);
    };
    check(1, 2, Err(("Progressing", "has 1 of 2 replicas updated")));
    check(2, 1, Err(("Progressing", "has 1 of 2 replicas available")));
    check(2, 2, Ok(()));
}

#[test]
fn a_job_is_ready_when_it_is_complete() {
    let check = |conditions: Value, expected| {
        let status = json!({ "conditions": conditions });
        assert_ready::<Job>(&json!({"template": {}}), &status, expected);
    };
    check(json!([]), Err(("Progressing", "is not complete")));
    check(json!([{"type": "Complete", "status": "True"}]), Ok(()));
    let exceeded = json!({"type": "Failed", "status": "True", "reason": "BackoffLimitExceeded", "message": "too many retries"});
    let expected = Err(("BackoffLimitExceeded", "failed: too many retries"));
    check(json!([exceeded]), expected);
    check(
        json!([{"type": "Failed", "status": "True"}]),
        Err(("Failed", "failed")),
    );
}

#[test]
fn other_objects_are_ready_unless_they_are_being_deleted() {
    let mut config_map = ConfigMap::default();
    config_map.metadata.name = Some("a".to_owned());
    let mut readiness = Readiness::default();
    readiness.observe(&config_map);
    assert!(readiness.is_ready());
    config_map.metadata.deletion_timestamp =
        serde_json::from_value(json!("2026-01-01T00:00:00Z")).unwrap();
    readiness.observe(&config_map);
    assert!(!readiness.is_ready());
}

#[test]
fn a_failure_takes_precedence_and_all_messages_are_kept() {
    let mut conditions = vec![conditions::condition(STALLED, true, "Old", "", None)];
    let mut readiness = Readiness::default();
    readiness.not_ready("Waiting", "no address yet");
    readiness.push(failed(None, "broken"));
    readiness.set_on(&mut conditions, Some(7));
    assert_eq!(conditions.len(), 1, "Stalled is removed");
    let [ready] = &conditions[..] else { panic!() };
    assert_eq!(
        (ready.reason.as_str(), ready.message.as_str()),
        ("Failed", "no address yet; broken")
    );
    assert_eq!(ready.observed_generation, Some(7));
}

#[test]
fn without_owned_objects_it_reports_the_reconcile() {
    let mut conditions = Vec::new();
    Readiness::default().set_on(&mut conditions, Some(7));
    assert!(conditions::is_true(&conditions, "Ready"));
    assert_eq!(conditions[0].message, "reconciled successfully");
}
