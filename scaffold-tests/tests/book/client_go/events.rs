//! `EventRecorder`: identical events become a series.

use kb::{
    k8s_openapi::api::{core::v1::ConfigMap, events::v1::Event},
    objects::{EventRecorder, EventType},
};
use kube::{Api, api::ListParams};

use super::test_namespace::{TestNamespace, within_30s};

/// Replaces `recorder.Event(object, corev1.EventTypeNormal, "Synced", "…")`. Returns immediately.
fn synced(events: &EventRecorder, object: &ConfigMap) {
    events.publish(
        object,
        EventType::Normal,
        "Synced",
        "Sync",
        "Synced successfully",
    );
}

#[tokio::test]
async fn repeated_events_become_a_series() {
    let Some(test) = TestNamespace::new("events").await else {
        return;
    };
    let object = test.create("one", "shop").await;
    let events = EventRecorder::new(test.client.clone(), "shop");
    synced(&events, &object);
    synced(&events, &object);
    let api: Api<Event> = Api::namespaced(test.client.clone(), test.namespace);
    let counted = async {
        loop {
            let listed = api.list(&ListParams::default()).await.unwrap().items;
            let counts = listed
                .iter()
                .filter_map(|event| Some(event.series.as_ref()?.count));
            if counts.max() == Some(2) {
                break listed.len();
            }
            tokio::time::sleep(std::time::Duration::from_millis(50)).await;
        }
    };
    assert_eq!(within_30s(counted).await, 1);
}
