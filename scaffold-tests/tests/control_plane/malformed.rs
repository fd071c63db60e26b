//! Objects stored before their CRD became stricter.

use std::sync::{Arc, Mutex};

use kb::{
    controller::{Action, Controller, Error, RunOptions},
    store::{Config, Store},
};
use kube::{
    Api, ResourceExt,
    api::{DynamicObject, GroupVersionKind, Patch, PatchParams, PostParams},
    discovery::ApiResource,
};
use serde_json::json;

use crate::test_namespace::{TestNamespace, eventually};

/// A lamp.
#[kb::resource(group = "control-plane.example.com", version = "v1", kind = "Lamp")]
pub(crate) struct LampSpec {
    /// Electric power.
    pub watts: i32,
}

#[tokio::test]
async fn an_invalid_object_does_not_affect_the_others() {
    let Some(test) = TestNamespace::new("malformed").await else {
        return;
    };
    let strict = serde_json::to_value(Lamp::crd()).unwrap();
    let mut loose = strict.clone();
    loose["spec"]["versions"][0]["schema"]["openAPIV3Schema"]["properties"]["spec"]["properties"]
        ["watts"] = json!({"x-kubernetes-preserve-unknown-fields": true});
    test.environment.apply([loose]).await.unwrap();

    let lamp = ApiResource::from_gvk(&GroupVersionKind::gvk(
        "control-plane.example.com",
        "v1",
        "Lamp",
    ));
    let untyped: Api<DynamicObject> =
        Api::namespaced_with(test.admin.clone(), &test.namespace, &lamp);
    for (name, watts) in [("a", json!(40)), ("b", json!("sixty")), ("c", json!(100))] {
        let object = DynamicObject::new(name, &lamp).data(json!({"spec": {"watts": watts}}));
        untyped
            .create(&PostParams::default(), &object)
            .await
            .unwrap();
    }
    test.environment.apply([strict]).await.unwrap();

    let (lamps, watch) = Store::<Lamp>::new(vec![test.api()], Config::default());
    tokio::spawn(watch.run());
    let seen = Arc::new(Mutex::new(Vec::new()));
    let controller = Controller::new("lamp", &lamps);
    tokio::spawn(controller.run(reconcile, Arc::clone(&seen), RunOptions::default()));
    let reconciled = || {
        let mut names = seen.lock().unwrap().clone();
        names.sort();
        names
    };
    eventually("the valid objects are reconciled", || async {
        reconciled() == ["a", "c"]
    })
    .await;
    assert_eq!(lamps.invalid_objects(), 1);

    let fixed = json!({"spec": {"watts": 60}});
    untyped
        .patch("b", &PatchParams::default(), &Patch::Merge(&fixed))
        .await
        .unwrap();
    eventually("the fixed object is reconciled", || async {
        reconciled() == ["a", "b", "c"]
    })
    .await;
    assert_eq!(lamps.invalid_objects(), 0);
}

async fn reconcile(lamp: Arc<Lamp>, seen: Arc<Mutex<Vec<String>>>) -> Result<Action, Error> {
    seen.lock().unwrap().push(lamp.name_any());
    Ok(Action::await_change())
}
