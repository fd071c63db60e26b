// SPDX-License-Identifier: Apache-2.0

//! Integration tests of the AppService controller against a real API server.
//!
//! The operator runs with the permissions in config/rbac.

mod harness;

use kb::serde_json::{from_value, json};
use kube::ResourceExt;
use kube::api::{DeleteParams, Patch, PatchParams, PostParams};

use appservice_api::v1alpha1::{AppService, AppServiceSpec};
use harness::fields::{
    available, cluster_ip, container_ports, image, is_not_ready, is_ready, is_waiting_for_pods,
    ports, replicas,
};
use harness::{Harness, SHOP, patch};

const SAMPLE: &str = include_str!("../config/samples/batch_v1alpha1_appservice.yaml");

/// Returns a spec with two pods behind port 80.
fn spec() -> AppServiceSpec {
    AppServiceSpec {
        image: "shop:1".to_owned(),
        replicas: Some(2),
        port: 80,
    }
}

#[tokio::test]
async fn sample_is_ready_when_its_pods_are_available() -> anyhow::Result<()> {
    let Some(harness) = Harness::new("appservice-sample").await? else {
        return Ok(());
    };
    let sample: AppService = serde_saphyr::from_str(SAMPLE)?;
    let created = harness.create(SHOP, sample.spec).await?;
    assert_eq!(available(&created), Some(0));

    harness.mark_pods_ready(2).await?;
    let ready = harness.wait_for_shop("is ready", is_ready).await?;
    assert_eq!(available(&ready), Some(2));

    harness.patch_spec(json!({"replicas": 3})).await?;
    let waiting = harness
        .wait_for_shop("waits for a pod", is_not_ready)
        .await?;
    assert_eq!(available(&waiting), Some(2));
    harness.stop().await
}

#[tokio::test]
async fn pods_of_the_previous_image_do_not_count_as_ready() -> anyhow::Result<()> {
    let Some(harness) = Harness::new("appservice-rollout").await? else {
        return Ok(());
    };
    harness.create(SHOP, spec()).await?;
    harness.mark_pods_ready(2).await?;
    harness.wait_for_shop("is ready", is_ready).await?;

    // The new pods never start, so the two old pods stay available.
    harness.patch_spec(json!({"image": "shop:broken"})).await?;
    let waiting = harness
        .wait_for_shop("waits for pods", is_not_ready)
        .await?;
    assert_eq!(available(&waiting), Some(2));
    harness.stop().await
}

#[tokio::test]
async fn spec_changes_propagate_to_the_deployment_and_the_service() -> anyhow::Result<()> {
    let Some(harness) = Harness::new("appservice-changes").await? else {
        return Ok(());
    };
    harness.create(SHOP, spec()).await?;
    let deployment = harness.deployments.get(SHOP).await?;
    assert_eq!(image(&deployment), "shop:1");
    assert_eq!(replicas(&deployment), Some(2));
    assert_eq!(container_ports(&deployment), [80]);
    let service = harness.services.get(SHOP).await?;
    assert_eq!(ports(&service), [80]);

    harness.patch_spec(json!({"image": "shop:2"})).await?;
    harness
        .wait_for_deployment("has the image", |object| image(object) == "shop:2")
        .await?;
    harness.patch_spec(json!({"replicas": 3})).await?;
    harness
        .wait_for_deployment("has three pods", |object| replicas(object) == Some(3))
        .await?;
    harness.patch_spec(json!({"port": 8080})).await?;
    harness
        .wait_for_deployment("has the port", |object| container_ports(object) == [8080])
        .await?;
    let changed = harness
        .wait_for_service("has the port", |object| ports(object) == [8080])
        .await?;
    assert!(cluster_ip(&service).is_some());
    assert_eq!(cluster_ip(&changed), cluster_ip(&service));
    harness.stop().await
}

#[tokio::test]
async fn fields_of_other_managers_are_kept() -> anyhow::Result<()> {
    let Some(harness) = Harness::new("appservice-others").await? else {
        return Ok(());
    };
    let without_replicas = AppServiceSpec {
        replicas: None,
        ..spec()
    };
    harness.create(SHOP, without_replicas).await?;

    // Scale as an autoscaler does.
    let (params, five) = (PatchParams::default(), json!({"spec": {"replicas": 5}}));
    let five = Patch::Merge(five);
    harness
        .deployments
        .patch_scale(SHOP, &params, &five)
        .await?;
    let annotation = json!({"metadata": {"annotations": {"example.com/team": "blue"}}});
    patch(&harness.deployments, annotation.clone()).await?;
    patch(&harness.services, annotation).await?;

    harness
        .patch_spec(json!({"image": "shop:2", "port": 8080}))
        .await?;
    let deployment = harness
        .wait_for_deployment("has the image", |object| image(object) == "shop:2")
        .await?;
    let service = harness
        .wait_for_service("has the port", |object| ports(object) == [8080])
        .await?;
    assert_eq!(replicas(&deployment), Some(5));
    assert_eq!(deployment.annotations()["example.com/team"], "blue");
    assert_eq!(service.annotations()["example.com/team"], "blue");
    harness.stop().await
}

#[tokio::test]
async fn reverts_changes_by_others() -> anyhow::Result<()> {
    let Some(harness) = Harness::new("appservice-restored").await? else {
        return Ok(());
    };
    harness.create(SHOP, spec()).await?;
    patch(&harness.deployments, json!({"spec": {"replicas": 9}})).await?;
    harness
        .wait_for_deployment("has two pods", |object| replicas(object) == Some(2))
        .await?;

    let deleted = harness.services.get(SHOP).await?;
    let delete = DeleteParams::default();
    harness.services.delete(SHOP, &delete).await?;
    harness
        .wait_for_service("is recreated", |object| object.uid() != deleted.uid())
        .await?;
    harness.stop().await
}

#[tokio::test]
async fn object_being_deleted_is_not_reconciled() -> anyhow::Result<()> {
    let Some(harness) = Harness::new("appservice-terminating").await? else {
        return Ok(());
    };
    harness.create(SHOP, spec()).await?;
    // A finalizer keeps the object.
    let finalizer = json!({"metadata": {"finalizers": ["example.com/hold"]}});
    patch(&harness.objects, finalizer).await?;
    let delete = DeleteParams::default();
    harness.objects.delete(SHOP, &delete).await?;

    let terminating = harness
        .patch_spec(json!({"image": "shop:2", "port": 8080}))
        .await?;
    // Changes arrive in order: once this object is reconciled, the operator has seen the other.
    harness.create("later", spec()).await?;
    assert_eq!(image(&harness.deployments.get(SHOP).await?), "shop:1");
    assert_eq!(ports(&harness.services.get(SHOP).await?), [80]);
    let current = harness.objects.get(SHOP).await?;
    assert_eq!(current.resource_version(), terminating.resource_version());
    harness.stop().await
}

#[tokio::test]
async fn owned_objects_are_garbage_collected() -> anyhow::Result<()> {
    let Some(harness) = Harness::new("appservice-deleted").await? else {
        return Ok(());
    };
    harness.create(SHOP, spec()).await?;
    let deployment = harness.deployments.get(SHOP).await?;
    let service = harness.services.get(SHOP).await?;

    let delete = DeleteParams::default();
    harness.objects.delete(SHOP, &delete).await?;
    harness
        .wait_for_deleted(&harness.deployments, &deployment)
        .await?;
    harness
        .wait_for_deleted(&harness.services, &service)
        .await?;
    harness.stop().await
}

#[tokio::test]
async fn restarted_operator_sends_no_writes() -> anyhow::Result<()> {
    let Some(harness) = Harness::new("appservice-idle").await? else {
        return Ok(());
    };
    harness.create(SHOP, spec()).await?;
    // The status changes no more: without nodes, the pods never become available.
    harness
        .wait_for_shop("waits for pods", is_waiting_for_pods)
        .await?;
    harness.stop().await?;

    // A restarted operator reconciles every object.
    let Some(harness) = Harness::new("appservice-idle").await? else {
        return Ok(());
    };
    harness.create("later", spec()).await?;
    let has_call = |name: &str| {
        let calls = harness.operator.calls();
        calls.iter().any(|call| call.to_string().contains(name))
    };
    assert!(has_call(", later in namespace"));
    assert!(
        !has_call(", shop in namespace"),
        "{:#?}",
        harness.operator.calls()
    );
    harness.stop().await
}

#[tokio::test]
async fn does_not_take_over_unowned_objects() -> anyhow::Result<()> {
    let Some(harness) = Harness::new("appservice-foreign").await? else {
        return Ok(());
    };
    let post = PostParams::default();
    let theirs = json!({"metadata": {"name": SHOP}, "spec": {"ports": [{"port": 1}]}});
    let their_service = harness.services.create(&post, &from_value(theirs)?).await?;
    let labels = json!({"app": "theirs"});
    let container = json!({"name": "theirs", "image": "theirs"});
    let pods = json!({"metadata": {"labels": labels}, "spec": {"containers": [container]}});
    let theirs = json!({"selector": {"matchLabels": labels}, "template": pods});
    let theirs = from_value(json!({"metadata": {"name": SHOP}, "spec": theirs}))?;
    harness.deployments.create(&post, &theirs).await?;
    let shop = AppService::new(SHOP, spec());
    harness.objects.create(&post, &shop).await?;

    let warning = harness.warning().await?;
    assert_eq!(warning.reason.as_deref(), Some("ReconcileError"));
    assert_eq!(harness.services.get(SHOP).await?, their_service);

    // The reconcile is retried and succeeds once both names are free.
    let delete = DeleteParams::default();
    harness.services.delete(SHOP, &delete).await?;
    harness
        .wait_for_service("is owned", |object| object.uid() != their_service.uid())
        .await?;
    assert_eq!(image(&harness.deployments.get(SHOP).await?), "theirs");
    harness.deployments.delete(SHOP, &delete).await?;
    harness.wait_for_shop("is reconciled", is_not_ready).await?;
    harness.stop().await
}

#[tokio::test]
async fn api_server_rejects_invalid_specs() -> anyhow::Result<()> {
    let Some(harness) = Harness::new("appservice-refused").await? else {
        return Ok(());
    };
    for (name, image, replicas, port, expected) in [
        ("shop", "", 1, 80, "spec.image"),
        ("shop", "shop:1", -1, 80, "spec.replicas"),
        ("shop", "shop:1", 1, 0, "spec.port"),
        ("shop", "shop:1", 1, 65536, "spec.port"),
        ("1st", "shop:1", 1, 80, "DNS-1035 label"),
    ] {
        let spec = AppServiceSpec {
            image: image.to_owned(),
            replicas: Some(replicas),
            port,
        };
        let object = AppService::new(name, spec);
        let rejected = harness
            .objects
            .create(&PostParams::default(), &object)
            .await;
        let error = rejected.expect_err(expected).to_string();
        assert!(error.contains(expected), "{error}");
    }
    harness.stop().await
}
