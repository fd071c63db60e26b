//! An object that always fails.

use std::time::Duration;

use kb::k8s_openapi::api::core::v1::Service;
use kube::api::PostParams;
use serde_json::json;
use tokio::time::Instant;

use crate::place::{Place, eventually, within};

const OTHERS: usize = 50;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_object_that_always_fails_does_not_delay_the_others() {
    let Some(place) = Place::new().await else {
        return;
    };
    let operator = place.operator("operator", &[]).await;
    let objects = place.app_services().await;
    // Somebody else's Service has the name that it needs.
    let taken: Service = serde_json::from_value(json!({
        "metadata": {"name": "fails"}, "spec": {"ports": [{"port": 80}]},
    }))
    .unwrap();
    objects
        .services
        .create(&PostParams::default(), &taken)
        .await
        .unwrap();
    objects.create("fails", "shop:1").await.unwrap();
    eventually("it fails", || async {
        operator.said(&["reconcile failed", "fails"])
    })
    .await;

    let start = Instant::now();
    objects
        .create_many((0..OTHERS).map(|number| format!("shop-{number}")))
        .await;
    within(
        Duration::from_secs(60),
        "all others are reconciled",
        || async {
            objects
                .unsettled()
                .await
                .is_ok_and(|names| names == ["fails"])
        },
    )
    .await;
    eprintln!(
        "{OTHERS} objects beside one that always fails took {:.1} s",
        start.elapsed().as_secs_f32()
    );

    // It is tried again, and mends when the obstacle is gone.
    objects
        .services
        .delete("fails", &kube::api::DeleteParams::default())
        .await
        .unwrap();
    eventually("it is mended", || objects.are_settled(OTHERS + 1)).await;
}
