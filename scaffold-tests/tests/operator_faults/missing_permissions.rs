//! A role that lacks a rule: each of the operator's rules in turn.

use std::time::Duration;

use futures::future::join_all;
use kb_envtest::ServiceAccount;
use serde_json::{Value, json};

use crate::{
    app_services::AppServices,
    place::{Place, eventually, within},
};

/// Gives the operator in a namespace these rules.
async fn grant(place: &Place, namespace: &str, rules: &[Value]) -> ServiceAccount {
    let role = json!({
        "apiVersion": "rbac.authorization.k8s.io/v1",
        "kind": "ClusterRole",
        "metadata": {"name": namespace},
        "rules": rules,
    });
    let account = place
        .environment
        .service_account(namespace, "operator", [role]);
    account.await.unwrap()
}

/// Runs the operator without a rule, in a namespace of its own, and gives it the rule then.
async fn without(place: &Place, rules: &[Value], number: usize) {
    let mut less = rules.to_vec();
    let rule = less.remove(number);
    let resource = rule["resources"][0].as_str().unwrap();
    let namespace = format!("lacks-{number}");
    let account = grant(place, &namespace, &less).await;
    let objects = AppServices::new(place.environment.client().await.unwrap(), &namespace);
    objects.create("shop", "shop:1").await.unwrap();

    let watched = format!("--watch-namespace={namespace}");
    let kubeconfig = place.environment.kubeconfig_as(&account);
    let operator = place.operator_with(&namespace, &kubeconfig, &[&watched]);
    let (plural, _) = resource.split_once('/').unwrap_or((resource, ""));
    let what = format!("the operator says that it may not use {resource}");
    let missing = || async {
        operator.said(&["the role does not allow", plural]) || operator.said(&["forbidden", plural])
    };
    within(Duration::from_secs(60), &what, missing).await;
    assert!(operator.runs());

    grant(place, &namespace, rules).await;
    let what = format!("all is well again with the rule for {resource}");
    eventually(&what, || objects.are_settled(1)).await;
    assert!(operator.runs());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn without_a_rule_the_operator_names_what_it_lacks_and_recovers_when_it_is_granted() {
    let Some(place) = Place::new().await else {
        return;
    };
    let role = place.manifest("config/rbac/role.yaml");
    let rules = role["rules"].as_array().unwrap();
    // This one is asked for only by clusters with the admission plugin OwnerReferencesPermissionEnforcement.
    let is_enforced = |rule: &Value| rule["resources"] != json!(["appservices/finalizers"]);
    let enforced: Vec<Value> = rules
        .iter()
        .filter(|rule| is_enforced(rule))
        .cloned()
        .collect();
    assert!(enforced.len() >= 4, "{enforced:?}");
    join_all((0..enforced.len()).map(|number| without(&place, &enforced, number))).await;
}
