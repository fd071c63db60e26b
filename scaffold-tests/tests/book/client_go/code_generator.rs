//! Replacements of code-generator: deepcopy, clientset, lister and informer.

use std::sync::Arc;

use kb::{
    k8s_openapi::api::core::v1::ConfigMap,
    store::{Config, Store},
};
use kube::{
    Api, Client, ResourceExt as _,
    api::{Patch, PatchParams, PostParams},
};
use serde_json::json;

use super::test_namespace::{TestNamespace, within_30s};

/// `DeepCopy`: `Clone` makes a deep copy.
fn renamed(object: &ConfigMap, name: &str) -> ConfigMap {
    let mut copy = object.clone();
    copy.metadata.name = Some(name.to_owned());
    copy.metadata.resource_version = None;
    copy.metadata.uid = None;
    copy
}

/// Typed clientset: `Api` has all verbs for every kind, including your own.
async fn clientset(client: Client, namespace: &str, object: &ConfigMap) -> kube::Result<ConfigMap> {
    let api: Api<ConfigMap> = Api::namespaced(client, namespace);
    let created = api.create(&PostParams::default(), object).await?;
    let data = json!({"data": {"greeting": "hello"}});
    let patch = Patch::Merge(&data);
    api.patch(&created.name_any(), &PatchParams::default(), &patch)
        .await
}

/// Lister: reads the cache and sends no request.
fn lister(store: &Store<ConfigMap>, namespace: &str, name: &str) -> Option<Arc<ConfigMap>> {
    store.get(Some(namespace), name)
}

#[tokio::test]
async fn generics_replace_generated_code() {
    let Some(test) = TestNamespace::new("code-generator").await else {
        return;
    };
    let first = test.create("one", "shop").await;
    let copy = renamed(&first, "two");
    let patched = clientset(test.client.clone(), test.namespace, &copy)
        .await
        .unwrap();
    assert_eq!(patched.data.unwrap()["greeting"], "hello");
    assert_eq!(first.name_any(), "one");

    let (store, watch) = Store::new(vec![test.config_maps()], Config::default());
    tokio::spawn(watch.run());
    within_30s(store.wait_until_synced()).await;
    let found = lister(&store, test.namespace, "two").unwrap();
    assert_eq!(found.labels()["app"], "shop");
    assert_eq!(lister(&store, test.namespace, "three"), None);
}
