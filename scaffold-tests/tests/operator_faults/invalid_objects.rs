//! Objects stored before their CRD became stricter.

use kube::api::{Patch, PatchParams};
use serde_json::{Value, json};

use crate::control_plane::{ControlPlane, eventually};

/// Returns the CRD with an arbitrary spec.
fn loose(mut crd: Value) -> Value {
    let schema = &mut crd["spec"]["versions"][0]["schema"]["openAPIV3Schema"];
    schema["properties"]["spec"] =
        json!({"type": "object", "x-kubernetes-preserve-unknown-fields": true});
    crd
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn invalid_objects_are_logged_and_do_not_affect_the_others() {
    let Some(plane) = ControlPlane::new().await else {
        return;
    };
    let strict = plane.crd();
    plane.account().await;
    let objects = plane.app_services().await;
    plane
        .environment
        .apply([loose(strict.clone())])
        .await
        .unwrap();
    let invalid = [
        ("number", json!({"image": 5, "port": 8080})),
        ("absent", json!({})),
        ("list", json!({"image": "shop:1", "port": [80]})),
    ];
    for (name, spec) in &invalid {
        objects.create_with_spec(name, spec.clone()).await.unwrap();
    }
    objects.create("valid", "shop:1").await.unwrap();
    plane.environment.apply([strict]).await.unwrap();

    let operator = plane.operator("operator", &[]).await;
    objects.create("new", "shop:1").await.unwrap();
    let converged = async |names: &[&str]| {
        let Ok(pending) = objects.not_converged().await else {
            return false;
        };
        names
            .iter()
            .all(|name| !pending.iter().any(|other| other == name))
    };
    eventually("the valid objects are reconciled", || {
        converged(&["valid", "new"])
    })
    .await;
    for (name, _) in invalid {
        eventually("it is logged", || async {
            operator.has_logged(&["failed to deserialize", name])
        })
        .await;
        let fixed = Patch::Merge(json!({"spec": {"image": "shop:2", "port": 8080}}));
        objects
            .objects
            .patch(name, &PatchParams::default(), &fixed)
            .await
            .unwrap();
    }
    eventually("all are reconciled", || objects.are_converged(5)).await;
    assert!(operator.is_running());
}
