//! `Indexer` and `SharedIndexInformer`.

use kb::{
    k8s_openapi::api::core::v1::ConfigMap,
    store::{Index, Store},
};
use kube::ResourceExt as _;
use serde_json::json;

/// Index by namespace. Indexes of the same name are shared.
fn by_namespace(store: &Store<ConfigMap>) -> Index<ConfigMap> {
    store.index("namespace", |object: &ConfigMap| {
        object.namespace().into_iter().collect()
    })
}

/// Index by label keys. An object may have any number of index keys.
fn by_label_key(store: &Store<ConfigMap>) -> Index<ConfigMap> {
    store.index("label key", |object: &ConfigMap| {
        object.labels().keys().cloned().collect()
    })
}

fn object(namespace: &str, name: &str, labels: &serde_json::Value) -> ConfigMap {
    let object = json!({"metadata": {"name": name, "namespace": namespace, "labels": labels}});
    serde_json::from_value(object).unwrap()
}

#[test]
fn finds_objects_by_index_keys() {
    let store = Store::from_iter([
        object("a", "one", &json!({"app": "shop", "tier": "web"})),
        object("a", "two", &json!({"app": "shop"})),
        object("b", "three", &json!({})),
    ]);
    assert_eq!(by_namespace(&store).get("a").len(), 2);
    assert_eq!(by_label_key(&store).get("tier")[0].name_any(), "one");
    assert_eq!(store.label_index("app").get("shop").len(), 2);
    assert!(by_namespace(&store).get("c").is_empty());
}
