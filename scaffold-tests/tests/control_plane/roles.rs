//! An operator's calls, compared with what its manifests declare.

use std::fs;

use kb::k8s_openapi::api::core::v1::ConfigMap;
use kube::Api;
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::{
    operator::{ALL_VERBS, Operator, made, rules},
    place::Place,
};

/// A folder as config/rbac, with these rules in a Role of the operator's namespace.
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
    let folder = TempDir::new().unwrap();
    for (name, document) in documents {
        // JSON is YAML.
        fs::write(folder.path().join(name), document.to_string()).unwrap();
    }
    folder
}

#[tokio::test]
async fn an_operator_with_the_rules_that_it_needs_passes() {
    let Some(place) = Place::new("declared").await else {
        return;
    };
    let folder = manifests(rules(&ALL_VERBS));
    let operator = place.environment.operator(&place.namespace, folder.path());
    let operator = operator.await.unwrap();
    let running = Operator::with_client(operator.client(), &place.namespace);
    place.shop("s").await;
    let config_maps = place.api::<ConfigMap>();
    let happened = operator.until("it is made", made(&config_maps, "s", ""));
    happened.await.unwrap();
    running.stop().await;
    operator.check().unwrap();

    let calls: Vec<String> = operator.calls().iter().map(ToString::to_string).collect();
    for expected in [
        "list shops of control-plane.example.com, in the namespace declared",
        "watch configmaps, in the namespace declared",
        "create configmaps, s, in the namespace declared",
        "patch configmaps, s, in the namespace declared",
    ] {
        assert!(
            calls.iter().any(|call| call == expected),
            "{expected}: {calls:#?}"
        );
    }
}

#[tokio::test]
async fn a_missing_rule_ends_the_wait_with_the_line_to_add() {
    let Some(place) = Place::new("undeclared").await else {
        return;
    };
    let folder = manifests(rules(&["list", "watch"]));
    let operator = place.environment.operator(&place.namespace, folder.path());
    let operator = operator.await.unwrap();
    let running = Operator::with_client(operator.client(), &place.namespace);
    place.shop("s").await;
    let config_maps = place.api::<ConfigMap>();
    let awaited = operator.until("it is made", made(&config_maps, "s", ""));
    let error = awaited.await.unwrap_err().to_string();
    running.stop().await;
    assert_eq!(
        error,
        "\
the operator made calls that its roles do not declare:
  create configmaps, s, in the namespace undeclared
  patch configmaps, s, in the namespace undeclared
Put this on the code that makes them, unless it is there already, and run `kb-rs generate rbac`:
  #[kb::rbac(groups = \"core\", resources = \"configmaps\", verbs = \"create;patch\")]"
    );
}

#[tokio::test]
async fn a_call_that_nobody_declared_is_found_even_if_the_api_server_allows_it() {
    let Some(place) = Place::new("allowed").await else {
        return;
    };
    let folder = manifests(rules(&[]));
    let operator = place.environment.operator(&place.namespace, folder.path());
    let operator = operator.await.unwrap();
    let everything = json!({
        "apiVersion": "rbac.authorization.k8s.io/v1", "kind": "ClusterRole", "metadata": {"name": "everything"},
        "rules": [{"apiGroups": ["*"], "resources": ["*"], "verbs": ["*"]}],
    });
    let widened = place
        .environment
        .service_account(&place.namespace, "manager", [everything]);
    widened.await.unwrap();

    // What everybody may ask for needs no rule.
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
        error
            .ends_with(r#"#[kb::rbac(groups = "core", resources = "configmaps", verbs = "list")]"#),
        "{error}"
    );
}
