//! An object that always fails.

use std::time::Duration;

use kb::k8s_openapi::api::core::v1::Service;
use kube::api::PostParams;
use serde_json::json;
use tokio::time::Instant;

use crate::control_plane::{ControlPlane, eventually, within};

const OTHERS: usize = 50;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_failing_object_does_not_delay_the_others() {
    let Some(plane) = ControlPlane::new().await else {
        return;
    };
    let operator = plane.operator("operator", &[]).await;
    let objects = plane.app_services().await;
    // A foreign Service has the name of its Service.
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
        operator.has_logged(&["reconcile failed", "fails"])
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
                .not_converged()
                .await
                .is_ok_and(|names| names == ["fails"])
        },
    )
    .await;
    eprintln!(
        "{OTHERS} objects beside a failing one took {:.1} s",
        start.elapsed().as_secs_f32()
    );

    // It is retried and succeeds without the foreign Service.
    objects
        .services
        .delete("fails", &kube::api::DeleteParams::default())
        .await
        .unwrap();
    eventually("it succeeds", || objects.are_converged(OTHERS + 1)).await;
}
