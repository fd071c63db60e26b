//! Calls of an operator are checked against the roles in its manifests.

use std::fs;

use kb::k8s_openapi::api::core::v1::ConfigMap;
use kube::Api;
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::{
    operator::{ALL_VERBS, Operator, rules, wait_for_config_map},
    test_namespace::TestNamespace,
};

/// Writes a directory like config/rbac, with these rules in a Role of the operator's namespace.
fn manifests(rules: Value) -> TempDir {
    let metadata = |name: &str| json!({"name": name, "namespace": "system"});
    let documents = [
        (
            "service_account.yaml",
            json!({"kind": "ServiceAccount", "metadata": metadata("manager")}),
        ),
        (
            "role.yaml",
            json!({"kind": "Role", "metadata": metadata("manager-role"), "rules": rules}),
        ),
        (
            "role_binding.yaml",
            json!({
                "kind": "RoleBinding",
                "metadata": metadata("manager-rolebinding"),
                "roleRef": {"kind": "Role", "name": "manager-role"},
                "subjects": [{"kind": "ServiceAccount", "name": "manager", "namespace": "system"}],
            }),
        ),
    ];
    let dir = TempDir::new().unwrap();
    for (name, document) in documents {
        // JSON is YAML.
        fs::write(dir.path().join(name), document.to_string()).unwrap();
    }
    dir
}

#[tokio::test]
async fn an_operator_with_all_rules_passes() {
    let Some(test) = TestNamespace::new("declared").await else {
        return;
    };
    let dir = manifests(rules(&ALL_VERBS));
    let operator = test.environment.operator(&test.namespace, dir.path());
    let operator = operator.await.unwrap();
    let running = Operator::with_client(operator.client(), &test.namespace);
    test.shop("s").await;
    let config_maps = test.api::<ConfigMap>();
    let created = operator.wait_for(
        "the ConfigMap is created",
        wait_for_config_map(&config_maps, "s", ""),
    );
    created.await.unwrap();
    running.stop().await;
    operator.check().unwrap();

    let calls: Vec<String> = operator.calls().iter().map(ToString::to_string).collect();
    for expected in [
        "list shops of control-plane.example.com in namespace declared",
        "watch configmaps in namespace declared",
        "create configmaps, s in namespace declared",
        "patch configmaps, s in namespace declared",
    ] {
        assert!(
            calls.iter().any(|call| call == expected),
            "{expected}: {calls:#?}"
        );
    }
}

#[tokio::test]
async fn a_missing_rule_is_reported_with_the_attribute_to_add() {
    let Some(test) = TestNamespace::new("undeclared").await else {
        return;
    };
    let dir = manifests(rules(&["list", "watch"]));
    let operator = test.environment.operator(&test.namespace, dir.path());
    let operator = operator.await.unwrap();
    let running = Operator::with_client(operator.client(), &test.namespace);
    test.shop("s").await;
    let config_maps = test.api::<ConfigMap>();
    let awaited = operator.wait_for(
        "the ConfigMap is created",
        wait_for_config_map(&config_maps, "s", ""),
    );
    let error = awaited.await.unwrap_err().to_string();
    running.stop().await;
    assert_eq!(
        error,
        "\
the operator made API calls that its roles do not allow:
  create configmaps, s in namespace undeclared
  patch configmaps, s in namespace undeclared
Add these markers to the code that makes the calls and run `kb-rs generate rbac`:
  #[kb::rbac(\"core/configmaps\": create, patch)]"
    );
}

#[tokio::test]
async fn an_undeclared_call_is_found_even_if_the_api_server_allows_it() {
    let Some(test) = TestNamespace::new("allowed").await else {
        return;
    };
    let dir = manifests(rules(&[]));
    let operator = test.environment.operator(&test.namespace, dir.path());
    let operator = operator.await.unwrap();
    let everything = json!({
        "apiVersion": "rbac.authorization.k8s.io/v1", "kind": "ClusterRole", "metadata": {"name": "everything"},
        "rules": [{"apiGroups": ["*"], "resources": ["*"], "verbs": ["*"]}],
    });
    let widened = test
        .environment
        .service_account(&test.namespace, "manager", [everything]);
    widened.await.unwrap();

    // Discovery needs no rule.
    operator.client().apiserver_version().await.unwrap();
    operator.check().unwrap();
    let config_maps: Api<ConfigMap> = Api::all(operator.client());
    config_maps
        .list(&kube::api::ListParams::default())
        .await
        .unwrap();
    let error = operator.check().unwrap_err().to_string();
    assert!(error.contains("\n  list configmaps\n"), "{error}");
    assert!(
        error.ends_with(r#"#[kb::rbac("core/configmaps": list)]"#),
        "{error}"
    );
}
