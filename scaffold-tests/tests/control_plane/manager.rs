//! An operator as a whole, under a service account with its own rules.

use kb::k8s_openapi::api::core::v1::ConfigMap;
use kube::api::{DeleteParams, Patch, PatchParams};
use serde_json::json;

use crate::{
    logs::Logs,
    operator::{ALL_VERBS, Operator, made, rules},
    place::{Place, eventually},
    shop::Shop,
};

#[tokio::test]
async fn an_operator_works_with_just_the_rules_that_it_needs() {
    let Some(place) = Place::new("manager").await else {
        return;
    };
    let (logs, _guard) = Logs::capture();
    let account = place.account("operator", rules(&ALL_VERBS)).await;
    place.shop("before").await;
    let operator = Operator::start(place.environment, &account).await;
    place.shop("after").await;
    let config_maps = place.api::<ConfigMap>();
    for name in ["before", "after"] {
        made(&config_maps, name, "").await;
    }

    let motto = Patch::Merge(json!({"spec": {"motto": "fair"}}));
    let changed = place.api::<Shop>();
    let changed = changed
        .patch("before", &PatchParams::default(), &motto)
        .await;
    changed.unwrap();
    made(&config_maps, "before", "fair").await;
    let deleted = config_maps.delete("after", &DeleteParams::default()).await;
    deleted.unwrap();
    made(&config_maps, "after", "").await;
    operator.stop().await;
    let log = logs.text();
    assert!(!log.contains("WARN") && !log.contains("ERROR"), "{log}");
}

#[tokio::test]
async fn a_missing_permission_is_named_and_the_operator_recovers_when_it_is_granted() {
    let Some(place) = Place::new("manager-permissions").await else {
        return;
    };
    let (logs, _guard) = Logs::capture();
    let account = place.account("operator", rules(&[])).await;
    place.shop("s").await;
    let operator = Operator::start(place.environment, &account).await;
    let named = async |what: &str| eventually(what, || async { logs.contain(what) }).await;
    named(r#"#[kb::rbac(groups = "core", resources = "configmaps", verbs = "list;watch")]"#).await;

    place.account("operator", rules(&["list", "watch"])).await;
    named("the watch works again").await;
    named(r#"cannot patch resource "configmaps""#).await;

    place.account("operator", rules(&ALL_VERBS)).await;
    made(&place.api(), "s", "").await;
    operator.stop().await;
}
