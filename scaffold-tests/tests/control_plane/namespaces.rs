//! Stores of several namespaces.

use kb::{
    k8s_openapi::api::core::v1::ConfigMap,
    namespaces::Namespaces,
    store::{Config, Store},
};
use kube::{Api, ResourceExt, api::PostParams};
use serde_json::json;

use crate::test_namespace::{TestNamespace, eventually};

#[tokio::test]
async fn a_store_contains_the_objects_of_its_namespaces() {
    let Some(test) = TestNamespace::new("namespaces-a").await else {
        return;
    };
    let rules =
        json!([{"apiGroups": [""], "resources": ["configmaps"], "verbs": ["list", "watch"]}]);
    let role = |namespace: &str| {
        json!({
            "apiVersion": "rbac.authorization.k8s.io/v1", "kind": "Role",
            "metadata": {"name": "reader", "namespace": namespace}, "rules": rules,
        })
    };
    for other in ["namespaces-b", "namespaces-c"] {
        test.create_namespace(other).await;
    }
    let granted = [role("namespaces-a"), role("namespaces-b")];
    let account = test
        .environment
        .service_account(&test.namespace, "reader", granted)
        .await
        .unwrap();
    let client = test.environment.client_as(&account).await.unwrap();
    let create = async |namespace: &str, name: &str| {
        let object: ConfigMap =
            serde_json::from_value(json!({"metadata": {"name": name}})).unwrap();
        let api: Api<ConfigMap> = Api::namespaced(test.admin.clone(), namespace);
        api.create(&PostParams::default(), &object).await.unwrap();
    };
    for namespace in ["a", "b", "c"] {
        create(&format!("namespaces-{namespace}"), "before").await;
    }

    let named: Namespaces = "namespaces-a,namespaces-b".parse().unwrap();
    let (store, watch) = Store::<ConfigMap>::new(named.apis(&client), Config::default());
    tokio::spawn(watch.run());
    store.wait_until_synced().await;
    for namespace in ["c", "a", "b"] {
        create(&format!("namespaces-{namespace}"), "after").await;
    }
    let seen = || {
        let objects = store.list();
        let mut titles: Vec<_> = objects
            .iter()
            .map(|object| format!("{}/{}", object.namespace().unwrap(), object.name_any()))
            .collect();
        titles.sort();
        titles
    };
    let expected = [
        "namespaces-a/after",
        "namespaces-a/before",
        "namespaces-b/after",
        "namespaces-b/before",
    ];
    eventually("objects of both namespaces are cached", || async {
        seen() == expected
    })
    .await;
}
