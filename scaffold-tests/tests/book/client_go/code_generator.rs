//! What code-generator writes for Go: deepcopy, clientset, lister and informer. Here they are generic.

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

use super::place::{Place, soon};

/// `DeepCopy`: types are plain values, and `Clone` copies all of one.
fn renamed(object: &ConfigMap, name: &str) -> ConfigMap {
    let mut copy = object.clone();
    copy.metadata.name = Some(name.to_owned());
    copy.metadata.resource_version = None;
    copy.metadata.uid = None;
    copy
}

/// A typed clientset: `Api` has every verb for every kind, your own kinds included.
async fn clientset(client: Client, namespace: &str, object: &ConfigMap) -> kube::Result<ConfigMap> {
    let api: Api<ConfigMap> = Api::namespaced(client, namespace);
    let made = api.create(&PostParams::default(), object).await?;
    let change = json!({"data": {"greeting": "hello"}});
    let patch = Patch::Merge(&change);
    api.patch(&made.name_any(), &PatchParams::default(), &patch)
        .await
}

/// A lister: reads the cache, and asks nobody.
fn lister(store: &Store<ConfigMap>, namespace: &str, name: &str) -> Option<Arc<ConfigMap>> {
    store.get(Some(namespace), name)
}

#[tokio::test]
async fn nothing_is_generated_and_all_of_it_is_there() {
    let Some(place) = Place::new("code-generator").await else {
        return;
    };
    let first = place.make("one", "shop").await;
    let copy = renamed(&first, "two");
    let made = clientset(place.client.clone(), place.namespace, &copy)
        .await
        .unwrap();
    assert_eq!(made.data.unwrap()["greeting"], "hello");
    assert_eq!(first.name_any(), "one");

    let (store, watch) = Store::new(vec![place.config_maps()], Config::default());
    tokio::spawn(watch.run());
    soon(store.wait_until_synced()).await;
    let found = lister(&store, place.namespace, "two").unwrap();
    assert_eq!(found.labels()["app"], "shop");
    assert_eq!(lister(&store, place.namespace, "three"), None);
}
