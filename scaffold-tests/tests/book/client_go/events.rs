//! `EventRecorder`: events about objects, of which equal ones are counted and not repeated.

use kb::{
    k8s_openapi::api::{core::v1::ConfigMap, events::v1::Event},
    objects::{EventRecorder, EventType},
};
use kube::{Api, api::ListParams};

use super::place::{Place, soon};

/// `recorder.Event(object, corev1.EventTypeNormal, "Synced", "…")`. It returns at once. A manager gives `manager.event_recorder(NAME)`.
fn synced(events: &EventRecorder, object: &ConfigMap) {
    events.publish(
        object,
        EventType::Normal,
        "Synced",
        "Sync",
        "all is as asked for",
    );
}

#[tokio::test]
async fn an_event_is_counted_when_it_comes_again() {
    let Some(place) = Place::new("events").await else {
        return;
    };
    let object = place.make("one", "shop").await;
    let events = EventRecorder::new(place.client.clone(), "shop");
    synced(&events, &object);
    synced(&events, &object);
    let api: Api<Event> = Api::namespaced(place.client.clone(), place.namespace);
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
    assert_eq!(soon(counted).await, 1);
}
