//! A complete operator under a service account with minimal rules.

use kb::k8s_openapi::api::core::v1::ConfigMap;
use kube::api::{DeleteParams, Patch, PatchParams};
use serde_json::json;

use crate::{
    logs::Logs,
    operator::{ALL_VERBS, Operator, rules, wait_for_config_map},
    shop::Shop,
    test_namespace::{TestNamespace, eventually},
};

#[tokio::test]
async fn an_operator_works_with_minimal_rules() {
    let Some(test) = TestNamespace::new("manager").await else {
        return;
    };
    let (logs, _guard) = Logs::capture();
    let account = test.account("operator", rules(&ALL_VERBS)).await;
    test.shop("before").await;
    let operator = Operator::start(test.environment, &account).await;
    test.shop("after").await;
    let config_maps = test.api::<ConfigMap>();
    for name in ["before", "after"] {
        wait_for_config_map(&config_maps, name, "").await;
    }

    let motto = Patch::Merge(json!({"spec": {"motto": "fair"}}));
    let changed = test.api::<Shop>();
    let changed = changed
        .patch("before", &PatchParams::default(), &motto)
        .await;
    changed.unwrap();
    wait_for_config_map(&config_maps, "before", "fair").await;
    let deleted = config_maps.delete("after", &DeleteParams::default()).await;
    deleted.unwrap();
    wait_for_config_map(&config_maps, "after", "").await;
    operator.stop().await;
    let log = logs.text();
    assert!(!log.contains("WARN") && !log.contains("ERROR"), "{log}");
}

#[tokio::test]
async fn a_missing_permission_is_logged_and_the_operator_recovers_when_it_is_granted() {
    let Some(test) = TestNamespace::new("manager-permissions").await else {
        return;
    };
    let (logs, _guard) = Logs::capture();
    let account = test.account("operator", rules(&[])).await;
    test.shop("s").await;
    let operator = Operator::start(test.environment, &account).await;
    let logged = async |what: &str| eventually(what, || async { logs.contains(what) }).await;
    logged(r#"#[kb::rbac("core/configmaps": list, watch)]"#).await;

    test.account("operator", rules(&["list", "watch"])).await;
    logged("watch recovered").await;
    logged(r#"cannot patch resource "configmaps""#).await;

    test.account("operator", rules(&ALL_VERBS)).await;
    wait_for_config_map(&test.api(), "s", "").await;
    operator.stop().await;
}
