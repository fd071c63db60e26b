// SPDX-License-Identifier: Apache-2.0

//! What becomes of a CloudManager on a real API server. The operator runs under its own role: config/rbac.

mod place;

use std::sync::Arc;

use kb::controller::Action;
use kb::objects::{EventRecorder, Objects};
use kb::serde_json::{from_value, json, to_value};
use kb::store::{CachedResource, Store};
use kube::api::{DeleteParams, PostParams};
use kube::{Api, ResourceExt};

use cloudmanager::controller::cloud_manager::{Context, WAIT, reconcile};
use cloudmanager_api::v1::{CloudManager, Phase};
use place::{OPERATOR, Place, change, control_plane, sample};

/// Where the container of a part is.
const CONTAINER: &str = "/spec/template/spec/containers/0";

#[tokio::test]
async fn each_part_waits_until_a_majority_of_the_one_before_is_ready() -> anyhow::Result<()> {
    let Some(place) = Place::new("cloudmanager-order").await? else {
        return Ok(());
    };
    place.make("cm").await?;
    // Somebody scales the front end.
    let three = json!({"spec": {"replicas": 3}});
    change(&place.deployments, "cm-front", three).await?;
    place.run(&place.deployments, "cm-front", 1).await?;
    place.make("later").await?;
    assert!(place.deployments.get_opt("cm-identity").await?.is_none());
    place.run(&place.deployments, "cm-front", 2).await?;

    place.phase("cm", Phase::Identity).await?;
    assert!(place.secrets.get_opt("cm-db").await?.is_none());
    place.run(&place.deployments, "cm-identity", 1).await?;

    place.phase("cm", Phase::Database).await?;
    assert!(place.secrets.get_opt("cm-db").await?.is_some());
    place.run(&place.stateful_sets, "cm-db", 1).await?;

    place.phase("cm", Phase::Ready).await?;
    place.events("Updated", 1).await?;
    place.end().await
}

#[tokio::test]
async fn the_parts_are_as_asked_for() -> anyhow::Result<()> {
    let Some(place) = Place::new("cloudmanager-parts").await? else {
        return Ok(());
    };
    place.make_ready("cm").await?;
    let front = to_value(place.deployments.get("cm-front").await?)?;
    assert_eq!(front.pointer(CONTAINER).unwrap()["image"], "nginx:1.29");
    let identity = to_value(place.deployments.get("cm-identity").await?)?;
    let container = identity.pointer(CONTAINER).unwrap();
    assert_eq!(container["image"], "busybox:1.37");
    assert_eq!(container["command"], json!(["sh", "-c", "sleep infinity"]));

    let secret = place.secrets.get("cm-db").await?.data.unwrap_or_default();
    assert_eq!(secret["user"].0, b"root");
    assert_eq!(secret["password"].0, b"secret");

    let database = to_value(place.stateful_sets.get("cm-db").await?)?;
    let container = database.pointer(CONTAINER).unwrap();
    assert_eq!(container["image"], "mysql:8.4");
    assert_eq!(
        container["env"][0]["valueFrom"]["secretKeyRef"],
        json!({"name": "cm-db", "key": "password"})
    );
    assert_eq!(container["volumeMounts"][0]["name"], "datadir");
    let claim = &database["spec"]["volumeClaimTemplates"][0];
    assert_eq!(claim["metadata"]["name"], "datadir");
    assert_eq!(claim["spec"]["storageClassName"], "standard");
    assert_eq!(claim["spec"]["accessModes"], json!(["ReadWriteOnce"]));
    assert_eq!(claim["spec"]["resources"]["requests"]["storage"], "1Gi");
    place.end().await
}

#[tokio::test]
async fn waiting_is_a_requeue_and_no_error() -> anyhow::Result<()> {
    let Some(environment) = control_plane().await? else {
        return Ok(());
    };
    let namespace = "cloudmanager-waiting";
    let operator = environment.operator(namespace, "config/rbac").await?;
    let objects: Api<CloudManager> = Api::namespaced(environment.client().await?, namespace);
    let object = objects
        .create(&PostParams::default(), &sample("cm")?)
        .await?;
    let context = Context {
        objects: Objects::new(operator.client(), OPERATOR),
        events: EventRecorder::new(operator.client(), OPERATOR),
        deployments: Store::default(),
        statefulsets: Store::default(),
        secrets: Store::default(),
    };
    let action = reconcile(Arc::new(object), Arc::new(context)).await;
    assert_eq!(action.map_err(anyhow::Error::msg)?, Action::requeue(WAIT));
    operator.check()?;
    Ok(())
}

#[tokio::test]
async fn what_the_spec_no_longer_names_is_deleted() -> anyhow::Result<()> {
    let Some(place) = Place::new("cloudmanager-renamed").await? else {
        return Ok(());
    };
    place.make_ready("cm").await?;
    place.make_ready("other").await?;
    let front = place.deployments.get("cm-front").await?;
    let identity = place.deployments.get("cm-identity").await?;
    let database = place.stateful_sets.get("cm-db").await?;

    let renamed = json!({"spec": {
        "front": {"deployment": {"name": "front"}},
        "identity": {"deployment": {"name": "identity"}},
        "db": {"statefulSet": {"name": "database"}},
    }});
    change(&place.objects, "cm", renamed).await?;
    place.gone(&place.deployments, &front).await?;
    place.gone(&place.deployments, &identity).await?;
    place.gone(&place.stateful_sets, &database).await?;
    place.events("Deleted", 3).await?;

    place.run(&place.deployments, "front", 1).await?;
    place.run(&place.deployments, "identity", 1).await?;
    place.run(&place.stateful_sets, "database", 1).await?;
    place.phase("cm", Phase::Ready).await?;
    // What is another one's stays, though this one does not name it either.
    place.deployments.get("other-front").await?;
    place.stateful_sets.get("other-db").await?;
    place.events("Deleted", 3).await?;
    place.end().await
}

#[tokio::test]
async fn nothing_is_sent_when_nothing_changed() -> anyhow::Result<()> {
    let Some(place) = Place::new("cloudmanager-idle").await? else {
        return Ok(());
    };
    place.make_ready("cm").await?;
    let before = place.versions("cm").await?;
    let note = json!({"metadata": {"annotations": {"example.com/note": "look again"}}});
    let noted = change(&place.objects, "cm", note).await?;
    place.make("later").await?;
    assert_eq!(place.versions("cm").await?, before);
    let now = place.objects.get("cm").await?;
    assert_eq!(now.resource_version(), noted.resource_version());
    place.events("Updated", 1).await?;
    place.end().await
}

#[tokio::test]
async fn what_belongs_to_somebody_else_is_left_alone() -> anyhow::Result<()> {
    let Some(place) = Place::new("cloudmanager-foreign").await? else {
        return Ok(());
    };
    let labels = json!({"app": "theirs"});
    let container = json!({"name": "theirs", "image": "theirs"});
    let template = json!({"metadata": {"labels": labels}, "spec": {"containers": [container]}});
    let spec = json!({"selector": {"matchLabels": labels}, "template": template});
    let front = json!({"metadata": {"name": "cm-front"}, "spec": spec});
    let secret = json!({"metadata": {"name": "cm-db"}});
    let database = json!({"metadata": {"name": "cm-db"}, "spec": spec});
    let post = PostParams::default();
    let front = place.deployments.create(&post, &from_value(front)?).await?;
    let secret = place.secrets.create(&post, &from_value(secret)?).await?;
    let database = from_value(database)?;
    let database = place.stateful_sets.create(&post, &database).await?;

    place.objects.create(&post, &sample("cm")?).await?;
    place.tried("get deployments of apps, cm-front").await?;
    unchanged_and_deleted(&place.deployments, &front).await?;
    place.run(&place.deployments, "cm-front", 1).await?;
    place.run(&place.deployments, "cm-identity", 1).await?;
    place.tried("get secrets, cm-db").await?;
    unchanged_and_deleted(&place.secrets, &secret).await?;
    place.tried("get statefulsets of apps, cm-db").await?;
    unchanged_and_deleted(&place.stateful_sets, &database).await?;
    // It is tried again, and comes right when all names are free.
    place.phase("cm", Phase::Database).await?;
    place.end().await
}

/// The operator has left something alone. Now its owner deletes it.
async fn unchanged_and_deleted<K: CachedResource + PartialEq>(
    api: &Api<K>,
    theirs: &K,
) -> anyhow::Result<()> {
    let name = theirs.name_any();
    assert_eq!(api.get(&name).await?, *theirs);
    api.delete(&name, &DeleteParams::default()).await?;
    Ok(())
}

#[tokio::test]
async fn what_cannot_work_is_refused() -> anyhow::Result<()> {
    let Some(place) = Place::new("cloudmanager-refused").await? else {
        return Ok(());
    };
    place.make("cm").await?;
    for (storage, expected) in [
        (
            json!({"size": "2Gi"}),
            "the storage of a StatefulSet cannot change",
        ),
        (json!({"size": "much"}), "spec.db.statefulSet.storage.size"),
        (
            json!({"accessModes": ["Anyhow"]}),
            "Unsupported value: \"Anyhow\"",
        ),
    ] {
        let spec = json!({"spec": {"db": {"statefulSet": {"storage": storage}}}});
        let refused = change(&place.objects, "cm", spec).await;
        let error = refused.expect_err(expected).to_string();
        assert!(error.contains(expected), "{error}");
    }
    let same = json!({"spec": {"identity": {"deployment": {"name": "cm-front"}}}});
    let error = change(&place.objects, "cm", same).await.expect_err("same");
    assert!(error.to_string().contains("two names"), "{error}");
    place.end().await
}

#[test]
fn kubectl_shows_the_phase_as_the_status() {
    let crd = CloudManager::crd();
    let columns = crd.spec.versions[0].additional_printer_columns.iter();
    let columns: Vec<_> = columns
        .flatten()
        .map(|it| (&*it.name, &*it.json_path))
        .collect();
    assert_eq!(columns, [("Status", ".status.phase")]);
}
