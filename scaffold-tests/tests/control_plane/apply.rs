//! `apply` and `prune`: requests, field ownership and rejections.

use std::sync::Arc;

use kb::{
    k8s_openapi::api::{apps::v1::Deployment, core::v1::ConfigMap},
    objects::{Applied, ApplyError, Objects, Owner},
    store::{CachedResource, Store},
};
use kube::{
    Api, ResourceExt,
    api::{Patch, PatchParams},
};
use serde::Serialize;
use serde_json::{Value, json};

use crate::{
    request_recorder::RequestRecorder,
    shop::Shop,
    test_namespace::{OPERATOR, TestNamespace, eventually},
};

/// An owner, and an operator with recorded requests.
struct Operator {
    owner: Owner,
    objects: Objects,
    requests: RequestRecorder,
}

impl Operator {
    async fn new(test: &TestNamespace) -> Self {
        let owner = test.shop("owner").await;
        let (client, requests) = test.recorded_client().await;
        Self {
            owner: Owner::of(&owner).unwrap(),
            objects: Objects::new(client, OPERATOR),
            requests,
        }
    }

    /// Applies an object. Returns the requests, too.
    async fn apply<C>(
        &self,
        desired: &Value,
        cache: &Store<C>,
    ) -> (Result<Applied<C>, ApplyError>, Vec<String>)
    where
        C: CachedResource + Serialize,
    {
        let desired = serde_json::from_value(desired.clone()).unwrap();
        let applied = self.objects.apply(&self.owner, desired, cache).await;
        (applied, self.requests.take())
    }

    /// Applies an object and waits until the cache contains it.
    async fn apply_and_sync<C>(&self, desired: &Value, cache: &Store<C>) -> (C, Vec<String>)
    where
        C: CachedResource + Serialize,
    {
        let (applied, sent) = self.apply(desired, cache).await;
        let object = applied.unwrap().into_object();
        wait_until_cached(cache, &object).await;
        (object, sent)
    }
}

/// Waits until the cache contains this version of an object.
async fn wait_until_cached<C: CachedResource>(cache: &Store<C>, object: &C) {
    let (namespace, name) = (object.meta().namespace.as_deref(), object.name_any());
    eventually("the applied object is cached", || async {
        let cached = cache.get(namespace, &name);
        cached
            .is_some_and(|cached| cached.meta().resource_version == object.meta().resource_version)
    })
    .await;
}

fn config_map(name: &str) -> Value {
    json!({"metadata": {"name": name}, "data": {"k": "v"}})
}

fn deployment(env: &[(&str, &str)], cpu: &str) -> Value {
    let labels = json!({"app": "shop"});
    let env: Vec<Value> = env
        .iter()
        .map(|(name, value)| json!({"name": name, "value": value}))
        .collect();
    json!({
        "metadata": {"name": "d"},
        "spec": {
            "replicas": 1,
            "selector": {"matchLabels": labels},
            "template": {
                "metadata": {"labels": labels},
                "spec": {"containers": [{
                    "name": "app", "image": "shop:1", "env": env, "ports": [{"containerPort": 80}],
                    "resources": {"limits": {"cpu": cpu, "memory": "1024Mi"}},
                }]},
            },
        },
    })
}

#[tokio::test]
async fn apply_creates_with_one_request_and_sends_none_for_an_unchanged_object() {
    let Some(test) = TestNamespace::new("apply-create").await else {
        return;
    };
    let operator = Operator::new(&test).await;
    let cache = test.store::<ConfigMap>().await;

    let (created, sent) = operator.apply(&config_map("c"), &cache).await;
    let created = created.unwrap();
    assert!(matches!(created, Applied::Created(_)), "{created:?}");
    assert_eq!(sent, ["PATCH"]);
    let controller = &created.object().owner_references()[0];
    assert_eq!(
        (controller.name.as_str(), controller.controller),
        ("owner", Some(true))
    );

    wait_until_cached(&cache, created.object()).await;
    let (again, sent) = operator.apply(&config_map("c"), &cache).await;
    assert!(matches!(again.unwrap(), Applied::Unchanged(_)));
    assert!(sent.is_empty(), "{sent:?}");

    // Nor does a restarted operator.
    let (client, requests) = test.recorded_client().await;
    let restarted = Operator {
        objects: Objects::new(client, OPERATOR),
        requests,
        ..operator
    };
    let (again, sent) = restarted.apply(&config_map("c"), &cache).await;
    assert!(matches!(again.unwrap(), Applied::Unchanged(_)));
    assert!(sent.is_empty(), "{sent:?}");
}

/// Create-only applies rely on this: the API server checks a resource version only if the object exists.
async fn conflicts_on_version_1<K>(api: &Api<K>, mut object: Value)
where
    K: CachedResource + Serialize,
{
    object["apiVersion"] = json!(K::api_version(&()));
    object["kind"] = json!(K::kind(&()));
    object["metadata"]["resourceVersion"] = json!("1");
    let params = PatchParams::apply(OPERATOR).force();
    api.patch("new", &params, &Patch::Apply(&object))
        .await
        .unwrap();
    let rejected = api
        .patch("new", &params, &Patch::Apply(&object))
        .await
        .unwrap_err();
    assert!(
        matches!(&rejected, kube::Error::Api(status) if status.code == 409),
        "{rejected}"
    );
}

#[tokio::test]
async fn a_create_only_apply_conflicts_with_an_existing_object() {
    let Some(test) = TestNamespace::new("apply-only-creates").await else {
        return;
    };
    conflicts_on_version_1(&test.api::<ConfigMap>(), config_map("new")).await;
    conflicts_on_version_1(&test.api::<Deployment>(), {
        let mut deployment = deployment(&[], "1");
        deployment["metadata"]["name"] = json!("new");
        deployment
    })
    .await;
    conflicts_on_version_1(
        &test.api::<Shop>(),
        json!({"metadata": {"name": "new"}, "spec": {}}),
    )
    .await;
}

#[tokio::test]
async fn apply_rejects_objects_of_others() {
    let Some(test) = TestNamespace::new("apply-refuses").await else {
        return;
    };
    let operator = Operator::new(&test).await;

    // The cache is empty: the operator learns from the API server that it exists.
    let theirs: ConfigMap = test
        .create(json!({"metadata": {"name": "c"}, "data": {"k": "theirs"}}))
        .await;
    let (rejected, sent) = operator
        .apply(&config_map("c"), &Store::<ConfigMap>::default())
        .await;
    assert!(
        matches!(rejected, Err(ApplyError::AlreadyExists { .. })),
        "{rejected:?}"
    );
    assert_eq!(sent, ["PATCH", "GET"]);
    assert_eq!(test.api::<ConfigMap>().get("c").await.unwrap(), theirs);

    let theirs = test.shop("s").await;
    let desired = json!({"metadata": {"name": "s"}, "spec": {"motto": "ours"}});
    let (rejected, _) = operator.apply(&desired, &Store::<Shop>::default()).await;
    assert!(
        matches!(rejected, Err(ApplyError::AlreadyExists { .. })),
        "{rejected:?}"
    );
    assert_eq!(test.api::<Shop>().get("s").await.unwrap(), theirs);

    let other = json!({"apiVersion": "v1", "kind": "ConfigMap", "name": "c", "uid": "0-1-2-3", "controller": true});
    let owned: ConfigMap = test
        .create(json!({"metadata": {"name": "owned", "ownerReferences": [other]}}))
        .await;
    for cache in [Store::default(), Store::from_iter([owned.clone()])] {
        let (rejected, _) = operator.apply(&config_map("owned"), &cache).await;
        assert!(
            matches!(rejected, Err(ApplyError::AlreadyOwned { .. })),
            "{rejected:?}"
        );
    }
    assert_eq!(test.api::<ConfigMap>().get("owned").await.unwrap(), owned);
}

#[tokio::test]
async fn apply_removes_own_fields_and_keeps_those_of_others() {
    let Some(test) = TestNamespace::new("apply-fields").await else {
        return;
    };
    let operator = Operator::new(&test).await;
    let cache = test.store::<Deployment>().await;
    operator
        .apply_and_sync(&deployment(&[("A", "1"), ("B", "2")], "1"), &cache)
        .await;

    let theirs = json!({
        "apiVersion": "apps/v1", "kind": "Deployment", "metadata": {"annotations": {"theirs": "yes"}},
        "spec": {"template": {"spec": {"containers": [{"name": "app", "env": [{"name": "THEIRS", "value": "3"}]}]}}},
    });
    let params = PatchParams::apply("someone").force();
    let theirs = test
        .api::<Deployment>()
        .patch("d", &params, &Patch::Apply(&theirs))
        .await
        .unwrap();
    wait_until_cached(&cache, &theirs).await;

    let (applied, sent) = operator
        .apply_and_sync(&deployment(&[("A", "1")], "1"), &cache)
        .await;
    assert_eq!(sent, ["PATCH"]);
    assert_eq!(applied.annotations()["theirs"], "yes");
    let template = applied.spec.unwrap().template.spec.unwrap();
    let env = template.containers[0].env.clone().unwrap();
    let mut names: Vec<_> = env.iter().map(|variable| variable.name.as_str()).collect();
    names.sort_unstable();
    assert_eq!(names, ["A", "THEIRS"]);

    let (again, sent) = operator
        .apply(&deployment(&[("A", "1")], "1"), &cache)
        .await;
    assert!(matches!(again.unwrap(), Applied::Unchanged(_)));
    assert!(sent.is_empty(), "{sent:?}");
}

#[tokio::test]
async fn a_normalized_quantity_causes_no_loop() {
    let Some(test) = TestNamespace::new("apply-quantities").await else {
        return;
    };
    let operator = Operator::new(&test).await;
    let cache = test.store::<Deployment>().await;
    let desired = deployment(&[], "1000m");
    let (applied, _) = operator.apply_and_sync(&desired, &cache).await;
    let resources = applied.spec.unwrap().template.spec.unwrap().containers[0]
        .resources
        .clone()
        .unwrap();
    assert_eq!(
        resources.limits.unwrap()["cpu"].0,
        "1",
        "the API server normalizes it"
    );
    let (_, sent) = operator.apply(&desired, &cache).await;
    assert!(sent.is_empty(), "{sent:?}");

    // A restarted operator sends it once.
    let (client, requests) = test.recorded_client().await;
    let restarted = Operator {
        objects: Objects::new(client, OPERATOR),
        requests,
        ..operator
    };
    let (_, sent) = restarted.apply_and_sync(&desired, &cache).await;
    assert_eq!(sent, ["PATCH"]);
    let (_, sent) = restarted.apply_and_sync(&desired, &cache).await;
    assert!(sent.is_empty(), "{sent:?}");
}

#[tokio::test]
async fn prune_deletes_own_objects_that_are_not_kept() {
    let Some(test) = TestNamespace::new("prune").await else {
        return;
    };
    let operator = Operator::new(&test).await;
    let cache = test.store::<ConfigMap>().await;
    for name in ["keep", "drop"] {
        operator.apply_and_sync(&config_map(name), &cache).await;
    }
    let theirs: ConfigMap = test.create(config_map("theirs")).await;
    wait_until_cached(&cache, &theirs).await;

    let keep = |found: &ConfigMap| found.name_any() == "keep";
    let deleted = operator.objects.prune(&operator.owner, &cache, keep).await;
    assert_eq!(deleted.unwrap(), 1);
    assert_eq!(operator.requests.take(), ["DELETE"]);
    eventually("the deletion is cached", || async { cache.len() == 2 }).await;
    let deleted = operator.objects.prune(&operator.owner, &cache, keep).await;
    assert_eq!(deleted.unwrap(), 0);
    assert!(operator.requests.take().is_empty());
    let left: Vec<Arc<ConfigMap>> = cache.list();
    assert!(left.iter().all(|object| object.name_any() != "drop"));
}
