//! Objects that were stored before the CRD became stricter.

use kube::api::{Patch, PatchParams};
use serde_json::{Value, json};

use crate::place::{Place, eventually};

/// The CRD as it was before anybody thought about the spec.
fn loose(mut crd: Value) -> Value {
    let schema = &mut crd["spec"]["versions"][0]["schema"]["openAPIV3Schema"];
    schema["properties"]["spec"] =
        json!({"type": "object", "x-kubernetes-preserve-unknown-fields": true});
    crd
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn objects_that_no_longer_fit_are_named_and_do_not_stop_the_others() {
    let Some(place) = Place::new().await else {
        return;
    };
    let strict = place.crd();
    place.account().await;
    let objects = place.app_services().await;
    place
        .environment
        .apply([loose(strict.clone())])
        .await
        .unwrap();
    let malformed = [
        ("number", json!({"image": 5, "port": 8080})),
        ("absent", json!({})),
        ("list", json!({"image": "shop:1", "port": [80]})),
    ];
    for (name, spec) in &malformed {
        objects.create_of(name, spec.clone()).await.unwrap();
    }
    objects.create("good", "shop:1").await.unwrap();
    place.environment.apply([strict]).await.unwrap();

    let operator = place.operator("operator", &[]).await;
    objects.create("new", "shop:1").await.unwrap();
    let settled = async |names: &[&str]| {
        let Ok(unsettled) = objects.unsettled().await else {
            return false;
        };
        names
            .iter()
            .all(|name| !unsettled.iter().any(|other| other == name))
    };
    eventually("the good ones are reconciled", || settled(&["good", "new"])).await;
    for (name, _) in malformed {
        eventually("it is named", || async {
            operator.said(&["does not fit", name])
        })
        .await;
        let mended = Patch::Merge(json!({"spec": {"image": "shop:2", "port": 8080}}));
        objects
            .objects
            .patch(name, &PatchParams::default(), &mended)
            .await
            .unwrap();
    }
    eventually("all are reconciled", || objects.are_settled(5)).await;
    assert!(operator.runs());
}
