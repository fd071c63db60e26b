//! A restart of the API server, on a separate control plane.

use kb::k8s_openapi::api::core::v1::ConfigMap;
use kb_envtest::Environment;
use kube::{
    Api,
    api::{DeleteParams, PostParams},
};
use serde_json::json;

use crate::{
    logs::Logs,
    operator::{ALL_VERBS, Operator, rules, wait_for_config_map},
    shop::{Shop, ShopSpec},
    test_namespace::{TestNamespace, eventually},
};

#[tokio::test]
async fn an_operator_survives_a_restart_of_the_api_server() {
    // Skips the test without a control plane.
    if TestNamespace::new("outage").await.is_none() {
        return;
    }
    let started = Environment::builder().crds([Shop::crd()]).start().await;
    let mut environment = started.unwrap();
    let (logs, _guard) = Logs::capture();
    let role = json!({
        "apiVersion": "rbac.authorization.k8s.io/v1", "kind": "Role", "metadata": {"name": "operator"}, "rules": rules(&ALL_VERBS),
    });
    let account = environment
        .service_account("outage", "operator", [role])
        .await;
    let operator = Operator::start(&environment, &account.unwrap()).await;
    let admin = environment.client().await.unwrap();
    let shops: Api<Shop> = Api::namespaced(admin.clone(), "outage");
    let config_maps: Api<ConfigMap> = Api::namespaced(admin, "outage");
    let create = async |name: &str| {
        let shop = Shop::new(name, ShopSpec::default());
        let created = shops.create(&PostParams::default(), &shop).await;
        created.unwrap();
    };

    create("before").await;
    wait_for_config_map(&config_maps, "before", "").await;
    environment.stop_api_server();
    let noticed = || async { logs.contains("watch failed") };
    eventually("the outage is noticed", noticed).await;
    environment.start_api_server().await.unwrap();

    create("after").await;
    let deleted = config_maps.delete("before", &DeleteParams::default()).await;
    deleted.unwrap();
    for name in ["before", "after"] {
        wait_for_config_map(&config_maps, name, "").await;
    }
    operator.stop().await;
}
