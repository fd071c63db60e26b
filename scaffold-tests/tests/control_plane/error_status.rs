//! Errors of reconciles reach conditions and events.

use std::sync::Arc;

use kb::{
    Manager,
    controller::{Action, Controller, Error},
    k8s_openapi::{
        api::{core::v1::ConfigMap, events::v1::Event},
        apimachinery::pkg::apis::meta::v1::Condition,
    },
    namespaces::Namespaces,
    objects::{Objects, Owner, Readiness, conditions},
    store::Store,
};
use kube::{
    Api, ResourceExt,
    api::{ListParams, Patch, PatchParams},
};
use serde_json::json;

use crate::{
    shop::Shop,
    test_namespace::{OPERATOR, TestNamespace, eventually},
};

struct Context {
    objects: Objects,
    config_maps: Store<ConfigMap>,
}

/// Applies a `ConfigMap` with the motto as its key. The API server rejects keys with spaces.
async fn reconcile(shop: Arc<Shop>, context: Arc<Context>) -> Result<Action, Error> {
    let motto = shop.spec.motto.clone().unwrap_or_default();
    if motto == "unsupported" {
        return Err(Error::terminal("unsupported motto").with_reason("UnsupportedMotto"));
    }
    let desired = serde_json::from_value(json!({
        "metadata": {"name": shop.name_any()},
        "data": {motto: "motto"},
    }))?;
    let owner = Owner::of(&*shop)?;
    let applied = context.objects.apply(&owner, desired, &context.config_maps);
    let mut readiness = Readiness::default();
    readiness.observe(applied.await?.object());
    let mut status = shop.status.clone().unwrap_or_default();
    status.observed_generation = shop.metadata.generation;
    readiness.set_on(&mut status.conditions, shop.metadata.generation);
    context.objects.patch_status(&*shop, &status).await?;
    Ok(Action::await_change())
}

fn register(manager: &Manager) {
    let context = Context {
        objects: manager.objects(),
        config_maps: manager.store(),
    };
    let controller = Controller::new("shop", &manager.store::<Shop>())
        .owns(&context.config_maps)
        .report_errors(manager.objects());
    manager.add_controller(controller, reconcile, context);
}

async fn set_motto(api: &Api<Shop>, motto: &str) {
    let patch = json!({"spec": {"motto": motto}});
    let params = PatchParams::default();
    api.patch("s", &params, &Patch::Merge(&patch))
        .await
        .unwrap();
}

/// Waits until the condition `Ready` reports the latest generation with this reason.
async fn wait_for_reason(api: &Api<Shop>, reason: &str) -> Shop {
    let find = || async {
        let shop = api.get("s").await.unwrap();
        let status = shop.status.clone().unwrap_or_default();
        let is_reported = conditions::find(&status.conditions, "Ready").is_some_and(|ready| {
            ready.reason == reason && ready.observed_generation == shop.metadata.generation
        });
        is_reported.then_some(shop)
    };
    let what = format!("Ready has the reason {reason}");
    eventually(&what, || async { find().await.is_some() }).await;
    find().await.unwrap()
}

fn condition(shop: &Shop, type_: &str) -> Option<Condition> {
    let status = shop.status.as_ref().unwrap();
    conditions::find(&status.conditions, type_).cloned()
}

#[tokio::test]
async fn errors_are_reported_once_and_withdrawn_after_recovery() {
    let Some(test) = TestNamespace::new("error-status").await else {
        return;
    };
    let (client, requests) = test.recorded_client().await;
    let namespaces = Namespaces::single(&test.namespace);
    let manager = Manager::for_tests(OPERATOR, client, namespaces).unwrap();
    register(&manager);
    let api = test.api::<Shop>();
    test.shop("s").await;
    set_motto(&api, "not a key").await;
    let running = manager.spawn();

    let shop = wait_for_reason(&api, "ReconcileError").await;
    let ready = condition(&shop, "Ready").unwrap();
    assert_eq!(ready.status, "False");
    assert!(ready.message.contains("not a key"), "{}", ready.message);
    let status = shop.status.as_ref().unwrap();
    assert_eq!(status.observed_generation, shop.metadata.generation);
    assert_eq!(condition(&shop, "Stalled"), None, "it is retried");

    // Retries send no further status, and their events are one series.
    let is_warning = |event: &Event| {
        let regarding = event.regarding.as_ref().unwrap();
        regarding.uid == shop.metadata.uid && event.reason.as_deref() == Some("ReconcileError")
    };
    let warnings = || async {
        let events = test.api::<Event>().list(&ListParams::default()).await;
        let events = events.unwrap().items;
        events.into_iter().filter(is_warning).collect::<Vec<_>>()
    };
    eventually("a series of at least five warnings", || async {
        let series = |event: &Event| event.series.as_ref().map_or(1, |series| series.count);
        warnings().await.iter().map(series).max().unwrap_or(0) >= 5
    })
    .await;
    let [warning] = &warnings().await[..] else {
        panic!("more than one series");
    };
    assert_eq!(warning.type_.as_deref(), Some("Warning"));
    assert!(warning.note.as_ref().unwrap().contains("not a key"));
    assert_eq!(requests.count("PATCH", "/shops/s/status"), 1);

    set_motto(&api, "unsupported").await;
    let shop = wait_for_reason(&api, "UnsupportedMotto").await;
    assert_eq!(
        condition(&shop, "Ready").unwrap().message,
        "unsupported motto"
    );
    assert_eq!(condition(&shop, "Stalled").unwrap().status, "True");
    assert_eq!(requests.count("PATCH", "/shops/s/status"), 2);

    set_motto(&api, "key").await;
    let shop = wait_for_reason(&api, "Reconciled").await;
    assert_eq!(condition(&shop, "Ready").unwrap().status, "True");
    assert_eq!(condition(&shop, "Stalled"), None);
    running.stop().await.unwrap();
    assert_eq!(requests.count("PATCH", "/shops/s/status"), 3);
}
