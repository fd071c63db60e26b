//! Events, as `kubectl describe` shows them.

use kb::{
    k8s_openapi::api::events::v1::Event,
    objects::{EventRecorder, EventType},
};
use kube::{Resource, api::ListParams};
use serde_json::json;

use crate::test_namespace::{TestNamespace, eventually};

#[tokio::test]
async fn a_repeated_event_becomes_a_series() {
    let Some(test) = TestNamespace::new("events").await else {
        return;
    };
    let shop = test.shop("s").await;
    let rules = json!([{"apiGroups": ["events.k8s.io"], "resources": ["events"], "verbs": ["create", "patch"]}]);
    let account = test.account("events", rules).await;
    let client = test.environment.client_as(&account).await.unwrap();
    let events = EventRecorder::new(client, "shop");
    for _ in 0..3 {
        events.publish(&shop, EventType::Warning, "Failed", "Apply", "no luck");
    }
    events.publish(
        &shop,
        EventType::Normal,
        "Created",
        "Apply",
        "created something",
    );

    let found = || async {
        let listed = test.api::<Event>().list(&ListParams::default()).await;
        let mut found = listed.unwrap().items;
        found.retain(|event| event.regarding.as_ref().unwrap().uid == shop.meta().uid);
        found
    };
    eventually("two events exist", || async { found().await.len() == 2 }).await;
    let all = found().await;
    let failed = all
        .iter()
        .find(|event| event.reason.as_deref() == Some("Failed"))
        .unwrap();
    assert_eq!(failed.type_.as_deref(), Some("Warning"));
    assert_eq!(failed.reporting_controller.as_deref(), Some("shop"));
    assert_eq!(failed.note.as_deref(), Some("no luck"));
    assert_eq!(failed.series.as_ref().unwrap().count, 3);
}
