//! Other clients that write the operator's fields, and fields beside them.

use std::time::Duration;

use kube::api::{Patch, PatchParams};
use serde_json::{Value, json};
use tokio::time::sleep;

use crate::{
    app_services::AppServices,
    control_plane::{ControlPlane, eventually},
};

const ROUNDS: usize = 40;

async fn patch_deployment(objects: &AppServices, patch: Value) {
    let patch = Patch::Strategic(patch);
    objects
        .deployments
        .patch("shop", &PatchParams::default(), &patch)
        .await
        .unwrap();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_operator_restores_its_fields_and_keeps_those_of_others() {
    let Some(plane) = ControlPlane::new().await else {
        return;
    };
    let operator = plane.operator("operator", &[]).await;
    let objects = plane.app_services().await;
    objects.create("shop", "shop:1").await.unwrap();
    eventually("it converges", || objects.are_converged(1)).await;

    let deployment = objects.deployments.get("shop").await.unwrap();
    let deployment = serde_json::to_value(deployment).unwrap();
    let container = &deployment["spec"]["template"]["spec"]["containers"][0]["name"];
    for round in 0..ROUNDS {
        let containers = json!([{"name": container, "image": format!("intruder:{round}")}]);
        let template = json!({"spec": {"containers": containers}});
        patch_deployment(&objects, json!({"spec": {"template": template}})).await;
        let noted = json!({"annotations": {"example.com/round": round.to_string()}});
        let replicas = 2 + round % 3;
        patch_deployment(
            &objects,
            json!({"metadata": noted, "spec": {"replicas": replicas}}),
        )
        .await;
        if round % 4 == 0 {
            let image = format!("shop:{round}");
            objects.set_image("shop", &image).await.unwrap();
        }
    }
    eventually("the operator's image is back", || objects.are_converged(1)).await;
    let converged = objects.deployments.get("shop").await.unwrap();
    let annotations = converged.metadata.annotations.clone().unwrap();
    assert_eq!(annotations["example.com/round"], (ROUNDS - 1).to_string());
    let replicas = converged.spec.clone().and_then(|spec| spec.replicas);
    assert_eq!(replicas, i32::try_from(2 + (ROUNDS - 1) % 3).ok());

    // Nobody writes any more.
    sleep(Duration::from_secs(2)).await;
    let later = objects.deployments.get("shop").await.unwrap();
    assert_eq!(
        later.metadata.resource_version,
        converged.metadata.resource_version
    );
    assert!(operator.is_running());
}
