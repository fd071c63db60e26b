//! Apply and prune: what is sent, what stays, what goes, and what is refused.

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
    place::{OPERATOR, Place, eventually},
    recorder::Recorder,
    shop::Shop,
};

/// An owner, and an operator whose requests are listed.
struct Operator {
    owner: Owner,
    objects: Objects,
    requests: Recorder,
}

impl Operator {
    async fn new(place: &Place) -> Self {
        let owner = place.shop("owner").await;
        let (client, requests) = place.recorder().await;
        Self {
            owner: Owner::of(&owner).unwrap(),
            objects: Objects::new(client, OPERATOR),
            requests,
        }
    }

    /// Applies, and says what was sent for it.
    async fn apply<C>(
        &self,
        wanted: &Value,
        cache: &Store<C>,
    ) -> (Result<Applied<C>, ApplyError>, Vec<String>)
    where
        C: CachedResource + Serialize,
    {
        let wanted = serde_json::from_value(wanted.clone()).unwrap();
        let applied = self.objects.apply(&self.owner, wanted, cache).await;
        (applied, self.requests.take())
    }

    /// Applies, and waits until the cache shows it.
    async fn apply_and_see<C>(&self, wanted: &Value, cache: &Store<C>) -> (C, Vec<String>)
    where
        C: CachedResource + Serialize,
    {
        let (applied, sent) = self.apply(wanted, cache).await;
        let object = applied.unwrap().into_object();
        seen(cache, &object).await;
        (object, sent)
    }
}

/// Waits until the cache shows this version of an object.
async fn seen<C: CachedResource>(cache: &Store<C>, object: &C) {
    let (namespace, name) = (object.meta().namespace.as_deref(), object.name_any());
    eventually("the cache shows what was applied", || async {
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
async fn an_object_is_created_by_one_request_and_the_second_apply_sends_nothing() {
    let Some(place) = Place::new("apply-create").await else {
        return;
    };
    let operator = Operator::new(&place).await;
    let cache = place.store::<ConfigMap>().await;

    let (created, sent) = operator.apply(&config_map("c"), &cache).await;
    let created = created.unwrap();
    assert!(matches!(created, Applied::Created(_)), "{created:?}");
    assert_eq!(sent, ["PATCH"]);
    let controller = &created.object().owner_references()[0];
    assert_eq!(
        (controller.name.as_str(), controller.controller),
        ("owner", Some(true))
    );

    seen(&cache, created.object()).await;
    let (again, sent) = operator.apply(&config_map("c"), &cache).await;
    assert!(matches!(again.unwrap(), Applied::Unchanged(_)));
    assert!(sent.is_empty(), "{sent:?}");

    // Nor does an operator that has just been started.
    let (client, requests) = place.recorder().await;
    let restarted = Operator {
        objects: Objects::new(client, OPERATOR),
        requests,
        ..operator
    };
    let (again, sent) = restarted.apply(&config_map("c"), &cache).await;
    assert!(matches!(again.unwrap(), Applied::Unchanged(_)));
    assert!(sent.is_empty(), "{sent:?}");
}

/// What creating rests on: a version is checked if the object exists, and only then.
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
    let refused = api
        .patch("new", &params, &Patch::Apply(&object))
        .await
        .unwrap_err();
    assert!(
        matches!(&refused, kube::Error::Api(status) if status.code == 409),
        "{refused}"
    );
}

#[tokio::test]
async fn an_apply_that_only_creates_is_refused_where_there_is_an_object() {
    let Some(place) = Place::new("apply-only-creates").await else {
        return;
    };
    conflicts_on_version_1(&place.api::<ConfigMap>(), config_map("new")).await;
    conflicts_on_version_1(&place.api::<Deployment>(), {
        let mut deployment = deployment(&[], "1");
        deployment["metadata"]["name"] = json!("new");
        deployment
    })
    .await;
    conflicts_on_version_1(
        &place.api::<Shop>(),
        json!({"metadata": {"name": "new"}, "spec": {}}),
    )
    .await;
}

#[tokio::test]
async fn nothing_of_others_is_taken_over() {
    let Some(place) = Place::new("apply-refuses").await else {
        return;
    };
    let operator = Operator::new(&place).await;

    // The cache is empty: that it exists is learned from the API server.
    let theirs: ConfigMap = place
        .create(json!({"metadata": {"name": "c"}, "data": {"k": "theirs"}}))
        .await;
    let (refused, sent) = operator
        .apply(&config_map("c"), &Store::<ConfigMap>::default())
        .await;
    assert!(
        matches!(refused, Err(ApplyError::AlreadyExists { .. })),
        "{refused:?}"
    );
    assert_eq!(sent, ["PATCH", "GET"]);
    assert_eq!(place.api::<ConfigMap>().get("c").await.unwrap(), theirs);

    let theirs = place.shop("s").await;
    let wanted = json!({"metadata": {"name": "s"}, "spec": {"motto": "ours"}});
    let (refused, _) = operator.apply(&wanted, &Store::<Shop>::default()).await;
    assert!(
        matches!(refused, Err(ApplyError::AlreadyExists { .. })),
        "{refused:?}"
    );
    assert_eq!(place.api::<Shop>().get("s").await.unwrap(), theirs);

    let other = json!({"apiVersion": "v1", "kind": "ConfigMap", "name": "c", "uid": "0-1-2-3", "controller": true});
    let owned: ConfigMap = place
        .create(json!({"metadata": {"name": "owned", "ownerReferences": [other]}}))
        .await;
    for cache in [Store::default(), Store::from_iter([owned.clone()])] {
        let (refused, _) = operator.apply(&config_map("owned"), &cache).await;
        assert!(
            matches!(refused, Err(ApplyError::AlreadyOwned { .. })),
            "{refused:?}"
        );
    }
    assert_eq!(place.api::<ConfigMap>().get("owned").await.unwrap(), owned);
}

#[tokio::test]
async fn what_is_no_longer_wanted_goes_and_what_others_added_stays() {
    let Some(place) = Place::new("apply-fields").await else {
        return;
    };
    let operator = Operator::new(&place).await;
    let cache = place.store::<Deployment>().await;
    operator
        .apply_and_see(&deployment(&[("A", "1"), ("B", "2")], "1"), &cache)
        .await;

    let theirs = json!({
        "apiVersion": "apps/v1", "kind": "Deployment", "metadata": {"annotations": {"theirs": "yes"}},
        "spec": {"template": {"spec": {"containers": [{"name": "app", "env": [{"name": "THEIRS", "value": "3"}]}]}}},
    });
    let params = PatchParams::apply("somebody").force();
    let theirs = place
        .api::<Deployment>()
        .patch("d", &params, &Patch::Apply(&theirs))
        .await
        .unwrap();
    seen(&cache, &theirs).await;

    let (applied, sent) = operator
        .apply_and_see(&deployment(&[("A", "1")], "1"), &cache)
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
async fn a_quantity_that_the_server_writes_differently_makes_no_loop() {
    let Some(place) = Place::new("apply-quantities").await else {
        return;
    };
    let operator = Operator::new(&place).await;
    let cache = place.store::<Deployment>().await;
    let wanted = deployment(&[], "1000m");
    let (applied, _) = operator.apply_and_see(&wanted, &cache).await;
    let resources = applied.spec.unwrap().template.spec.unwrap().containers[0]
        .resources
        .clone()
        .unwrap();
    assert_eq!(
        resources.limits.unwrap()["cpu"].0,
        "1",
        "the server writes it as it likes"
    );
    let (_, sent) = operator.apply(&wanted, &cache).await;
    assert!(sent.is_empty(), "{sent:?}");

    // An operator that was started anew finds out once.
    let (client, requests) = place.recorder().await;
    let restarted = Operator {
        objects: Objects::new(client, OPERATOR),
        requests,
        ..operator
    };
    let (_, sent) = restarted.apply_and_see(&wanted, &cache).await;
    assert_eq!(sent, ["PATCH"]);
    let (_, sent) = restarted.apply_and_see(&wanted, &cache).await;
    assert!(sent.is_empty(), "{sent:?}");
}

#[tokio::test]
async fn prune_deletes_what_is_not_kept_and_ours() {
    let Some(place) = Place::new("prune").await else {
        return;
    };
    let operator = Operator::new(&place).await;
    let cache = place.store::<ConfigMap>().await;
    for name in ["keep", "drop"] {
        operator.apply_and_see(&config_map(name), &cache).await;
    }
    let theirs: ConfigMap = place.create(config_map("theirs")).await;
    seen(&cache, &theirs).await;

    let keep = |found: &ConfigMap| found.name_any() == "keep";
    let deleted = operator.objects.prune(&operator.owner, &cache, keep).await;
    assert_eq!(deleted.unwrap(), 1);
    assert_eq!(operator.requests.take(), ["DELETE"]);
    eventually("the cache shows the deletion", || async {
        cache.len() == 2
    })
    .await;
    let deleted = operator.objects.prune(&operator.owner, &cache, keep).await;
    assert_eq!(deleted.unwrap(), 0);
    assert!(operator.requests.take().is_empty());
    let left: Vec<Arc<ConfigMap>> = cache.list();
    assert!(left.iter().all(|object| object.name_any() != "drop"));
}
