// SPDX-License-Identifier: Apache-2.0

//! Integration tests of the CloudManager controller against a real API server.
//!
//! The operator runs with the permissions in config/rbac.

mod harness;

use std::sync::Arc;

use kb::controller::Action;
use kb::objects::{EventRecorder, Objects};
use kb::serde_json::{from_value, json, to_value};
use kb::store::{CachedResource, Store};
use kube::api::{DeleteParams, PostParams};
use kube::{Api, ResourceExt};

use cloudmanager::controller::cloud_manager::{Context, REQUEUE_AFTER, reconcile};
use cloudmanager_api::v1::{CloudManager, Phase};
use harness::{Harness, OPERATOR, control_plane, patch, sample};

/// JSON pointer of the container.
const CONTAINER: &str = "/spec/template/spec/containers/0";

#[tokio::test]
async fn components_wait_for_a_majority_of_the_previous_one() -> anyhow::Result<()> {
    let Some(harness) = Harness::new("cloudmanager-order").await? else {
        return Ok(());
    };
    harness.create("cm").await?;
    // Scale the front end.
    let three = json!({"spec": {"replicas": 3}});
    patch(&harness.deployments, "cm-front", three).await?;
    harness
        .set_ready_replicas(&harness.deployments, "cm-front", 1)
        .await?;
    harness.create("later").await?;
    assert!(harness.deployments.get_opt("cm-identity").await?.is_none());
    harness
        .set_ready_replicas(&harness.deployments, "cm-front", 2)
        .await?;

    harness.wait_for_phase("cm", Phase::Identity).await?;
    assert!(harness.secrets.get_opt("cm-db").await?.is_none());
    harness
        .set_ready_replicas(&harness.deployments, "cm-identity", 1)
        .await?;

    harness.wait_for_phase("cm", Phase::Database).await?;
    assert!(harness.secrets.get_opt("cm-db").await?.is_some());
    harness
        .set_ready_replicas(&harness.stateful_sets, "cm-db", 1)
        .await?;

    harness.wait_for_phase("cm", Phase::Ready).await?;
    harness.wait_for_event_count("Updated", 1).await?;
    harness.stop().await
}

#[tokio::test]
async fn components_match_the_spec() -> anyhow::Result<()> {
    let Some(harness) = Harness::new("cloudmanager-parts").await? else {
        return Ok(());
    };
    harness.create_ready("cm").await?;
    let front = to_value(harness.deployments.get("cm-front").await?)?;
    assert_eq!(front.pointer(CONTAINER).unwrap()["image"], "nginx:1.29");
    let identity = to_value(harness.deployments.get("cm-identity").await?)?;
    let container = identity.pointer(CONTAINER).unwrap();
    assert_eq!(container["image"], "busybox:1.37");
    assert_eq!(container["command"], json!(["sh", "-c", "sleep infinity"]));

    let secret = harness.secrets.get("cm-db").await?.data.unwrap_or_default();
    assert_eq!(secret["user"].0, b"root");
    assert_eq!(secret["password"].0, b"secret");

    let database = to_value(harness.stateful_sets.get("cm-db").await?)?;
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
    harness.stop().await
}

#[tokio::test]
async fn waiting_requeues_without_an_error() -> anyhow::Result<()> {
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
        recorder: EventRecorder::new(operator.client(), OPERATOR),
        deployments: Store::default(),
        stateful_sets: Store::default(),
        secrets: Store::default(),
    };
    let action = reconcile(Arc::new(object), Arc::new(context)).await;
    assert_eq!(
        action.map_err(anyhow::Error::msg)?,
        Action::requeue(REQUEUE_AFTER)
    );
    operator.check()?;
    Ok(())
}

#[tokio::test]
async fn prunes_renamed_components() -> anyhow::Result<()> {
    let Some(harness) = Harness::new("cloudmanager-renamed").await? else {
        return Ok(());
    };
    harness.create_ready("cm").await?;
    harness.create_ready("other").await?;
    let front = harness.deployments.get("cm-front").await?;
    let identity = harness.deployments.get("cm-identity").await?;
    let database = harness.stateful_sets.get("cm-db").await?;

    let renamed = json!({"spec": {
        "front": {"deployment": {"name": "front"}},
        "identity": {"deployment": {"name": "identity"}},
        "db": {"statefulSet": {"name": "database"}},
    }});
    patch(&harness.objects, "cm", renamed).await?;
    harness
        .wait_for_deleted(&harness.deployments, &front)
        .await?;
    harness
        .wait_for_deleted(&harness.deployments, &identity)
        .await?;
    harness
        .wait_for_deleted(&harness.stateful_sets, &database)
        .await?;
    harness.wait_for_event_count("Deleted", 3).await?;

    harness
        .set_ready_replicas(&harness.deployments, "front", 1)
        .await?;
    harness
        .set_ready_replicas(&harness.deployments, "identity", 1)
        .await?;
    harness
        .set_ready_replicas(&harness.stateful_sets, "database", 1)
        .await?;
    harness.wait_for_phase("cm", Phase::Ready).await?;
    // Objects of another CloudManager are kept.
    harness.deployments.get("other-front").await?;
    harness.stateful_sets.get("other-db").await?;
    harness.wait_for_event_count("Deleted", 3).await?;
    harness.stop().await
}

#[tokio::test]
async fn sends_no_writes_without_a_change() -> anyhow::Result<()> {
    let Some(harness) = Harness::new("cloudmanager-idle").await? else {
        return Ok(());
    };
    harness.create_ready("cm").await?;
    let before = harness.resource_versions("cm").await?;
    let annotation = json!({"metadata": {"annotations": {"example.com/note": "changed"}}});
    let annotated = patch(&harness.objects, "cm", annotation).await?;
    harness.create("later").await?;
    assert_eq!(harness.resource_versions("cm").await?, before);
    let current = harness.objects.get("cm").await?;
    assert_eq!(current.resource_version(), annotated.resource_version());
    harness.wait_for_event_count("Updated", 1).await?;
    harness.stop().await
}

#[tokio::test]
async fn does_not_take_over_unowned_objects() -> anyhow::Result<()> {
    let Some(harness) = Harness::new("cloudmanager-foreign").await? else {
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
    let front = harness
        .deployments
        .create(&post, &from_value(front)?)
        .await?;
    let secret = harness.secrets.create(&post, &from_value(secret)?).await?;
    let database = from_value(database)?;
    let database = harness.stateful_sets.create(&post, &database).await?;

    harness.objects.create(&post, &sample("cm")?).await?;
    harness
        .wait_for_called("get deployments of apps, cm-front")
        .await?;
    check_and_delete(&harness.deployments, &front).await?;
    harness
        .set_ready_replicas(&harness.deployments, "cm-front", 1)
        .await?;
    harness
        .set_ready_replicas(&harness.deployments, "cm-identity", 1)
        .await?;
    harness.wait_for_called("get secrets, cm-db").await?;
    check_and_delete(&harness.secrets, &secret).await?;
    harness
        .wait_for_called("get statefulsets of apps, cm-db")
        .await?;
    check_and_delete(&harness.stateful_sets, &database).await?;
    // The reconcile is retried and succeeds once all names are free.
    harness.wait_for_phase("cm", Phase::Database).await?;
    harness.stop().await
}

/// Checks that the operator has not changed an object, and deletes it.
async fn check_and_delete<K: CachedResource + PartialEq>(
    api: &Api<K>,
    theirs: &K,
) -> anyhow::Result<()> {
    let name = theirs.name_any();
    assert_eq!(api.get(&name).await?, *theirs);
    api.delete(&name, &DeleteParams::default()).await?;
    Ok(())
}

#[tokio::test]
async fn api_server_rejects_invalid_specs() -> anyhow::Result<()> {
    let Some(harness) = Harness::new("cloudmanager-refused").await? else {
        return Ok(());
    };
    harness.create("cm").await?;
    for (storage, expected) in [
        (json!({"size": "2Gi"}), "storage is immutable"),
        (json!({"size": "much"}), "spec.db.statefulSet.storage.size"),
        (
            json!({"accessModes": ["Anyhow"]}),
            "Unsupported value: \"Anyhow\"",
        ),
    ] {
        let spec = json!({"spec": {"db": {"statefulSet": {"storage": storage}}}});
        let rejected = patch(&harness.objects, "cm", spec).await;
        let error = rejected.expect_err(expected).to_string();
        assert!(error.contains(expected), "{error}");
    }
    let same = json!({"spec": {"identity": {"deployment": {"name": "cm-front"}}}});
    let error = patch(&harness.objects, "cm", same).await.expect_err("same");
    assert!(error.to_string().contains("must differ"), "{error}");
    harness.stop().await
}

#[test]
fn phase_is_a_printer_column() {
    let crd = CloudManager::crd();
    let columns = crd.spec.versions[0].additional_printer_columns.iter();
    let columns: Vec<_> = columns
        .flatten()
        .map(|column| (&*column.name, &*column.json_path))
        .collect();
    assert_eq!(columns, [("Status", ".status.phase")]);
}
