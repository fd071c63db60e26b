//! A role without one of the operator's rules, for each of them.

use std::time::Duration;

use futures::future::join_all;
use kb_envtest::ServiceAccount;
use kube::api::{DeleteParams, PostParams};
use serde_json::{Value, json};

use crate::{
    app_services::AppServices,
    control_plane::{ControlPlane, eventually, within},
};

/// Grants these rules to the operator in a namespace.
async fn grant(plane: &ControlPlane, namespace: &str, rules: &[Value]) -> ServiceAccount {
    let role = json!({
        "apiVersion": "rbac.authorization.k8s.io/v1",
        "kind": "ClusterRole",
        "metadata": {"name": namespace},
        "rules": rules,
    });
    let account = plane
        .environment
        .service_account(namespace, "operator", [role]);
    account.await.unwrap()
}

/// Runs the operator without a rule in its own namespace, and then grants the rule.
async fn without(plane: &ControlPlane, rules: &[Value], number: usize) {
    let mut less = rules.to_vec();
    let rule = less.remove(number);
    let resource = rule["resources"][0].as_str().unwrap();
    let namespace = format!("lacks-{number}");
    let account = grant(plane, &namespace, &less).await;
    let objects = AppServices::new(plane.environment.client().await.unwrap(), &namespace);
    // Events are published about errors: the name of the owned Service is taken.
    let needs_error = resource == "events";
    if needs_error {
        let theirs = json!({"metadata": {"name": "shop"}, "spec": {"ports": [{"port": 1}]}});
        let theirs = serde_json::from_value(theirs).unwrap();
        let create = PostParams::default();
        objects.services.create(&create, &theirs).await.unwrap();
    }
    objects.create("shop", "shop:1").await.unwrap();

    let watched = format!("--watch-namespace={namespace}");
    let kubeconfig = plane.environment.kubeconfig_as(&account);
    let operator = plane.operator_with(&namespace, &kubeconfig, &[&watched]);
    let (plural, _) = resource.split_once('/').unwrap_or((resource, ""));
    let what = format!("the operator logs that {resource} are forbidden");
    let missing = || async {
        operator.has_logged(&["not allowed to", plural])
            || operator.has_logged(&["forbidden", plural])
    };
    within(Duration::from_secs(60), &what, missing).await;
    assert!(operator.is_running());

    grant(plane, &namespace, rules).await;
    if needs_error {
        let delete = DeleteParams::default();
        objects.services.delete("shop", &delete).await.unwrap();
    }
    let what = format!("the operator recovers with the rule for {resource}");
    eventually(&what, || objects.are_converged(1)).await;
    assert!(operator.is_running());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_missing_rule_is_logged_and_the_operator_recovers_when_it_is_granted() {
    let Some(plane) = ControlPlane::new().await else {
        return;
    };
    let role = plane.manifest("config/rbac/role.yaml");
    let rules = role["rules"].as_array().unwrap();
    // Only the admission plugin OwnerReferencesPermissionEnforcement requires this rule.
    let is_enforced = |rule: &Value| rule["resources"] != json!(["appservices/finalizers"]);
    let enforced: Vec<Value> = rules
        .iter()
        .filter(|rule| is_enforced(rule))
        .cloned()
        .collect();
    assert!(enforced.len() >= 4, "{enforced:?}");
    join_all((0..enforced.len()).map(|number| without(&plane, &enforced, number))).await;
}
