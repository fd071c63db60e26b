// SPDX-License-Identifier: Apache-2.0

//! What becomes of a Foo on a real API server. The operator runs under its own role: config/rbac.
//!
//! Nobody runs Deployments here: where pods are to be available, a test says so in the status.

mod place;

use std::time::Duration;

use k8s_openapi::api::apps::v1::Deployment;
use k8s_openapi::apiextensions_apiserver::pkg::apis::apiextensions::v1::CustomResourceDefinition;
use kb::serde_json::json;
use kube::api::{DeleteParams, Patch, PatchParams, PostParams};
use kube::{Api, ResourceExt};
use tokio::time::sleep;

use foo_api::v1alpha1::Foo;
use place::{Place, change, control_plane, foreign, replicas};

const SAMPLE: &str = include_str!("../config/samples/samplecontroller_v1alpha1_foo.yaml");

const SUCCESSES: &str = r#"controller_runtime_reconcile_total{controller="foo",result="success"}"#;
const ERRORS: &str = r#"controller_runtime_reconcile_errors_total{controller="foo"}"#;
const RETRIES: &str = r#"workqueue_retries_total{name="foo",controller="foo"}"#;
const WORKERS: &str = r#"controller_runtime_max_concurrent_reconciles{controller="foo"}"#;

#[tokio::test]
async fn the_crd_says_that_it_is_not_approved() -> anyhow::Result<()> {
    let Some(environment) = control_plane().await? else {
        return Ok(());
    };
    let crds: Api<CustomResourceDefinition> = Api::all(environment.client().await?);
    let crd = crds.get("foos.samplecontroller.k8s.io").await?;
    let approved = &crd.annotations()["api-approved.kubernetes.io"];
    assert_eq!(approved, "unapproved, experimental-only");
    Ok(())
}

#[tokio::test]
async fn the_sample_gets_a_deployment_of_its_own() -> anyhow::Result<()> {
    let Some(place) = Place::new("foo-sample").await? else {
        return Ok(());
    };
    let sample: Foo = serde_saphyr::from_str(SAMPLE)?;
    let sample = place.foos.create(&PostParams::default(), &sample).await?;

    let deployment = place
        .until(&place.deployments, "example-foo", |_| true)
        .await?;
    let labels = json!({"app": "nginx", "controller": sample.name_any()});
    assert_eq!(json!(deployment.labels()), labels);
    let owner = &deployment.owner_references()[0];
    assert_eq!(Some(&owner.uid), sample.metadata.uid.as_ref());
    assert_eq!(owner.controller, Some(true));

    let spec = json!(deployment.spec);
    assert_eq!(spec["replicas"], 1);
    assert_eq!(spec["selector"]["matchLabels"], labels);
    assert_eq!(spec["template"]["metadata"]["labels"], labels);
    let containers = &spec["template"]["spec"]["containers"];
    assert_eq!(containers.as_array().map(Vec::len), Some(1));
    assert_eq!(containers[0]["image"], "nginx:latest");
    place.end().await
}

#[tokio::test]
async fn the_deployment_has_the_replicas_of_the_spec() -> anyhow::Result<()> {
    let Some(place) = Place::new("foo-replicas").await? else {
        return Ok(());
    };
    place.foo("foo", "web", None).await?;
    let has = |count| move |web: &Deployment| replicas(web) == Some(count);
    place.until(&place.deployments, "web", has(1)).await?;

    let scale = json!({"spec": {"replicas": 3}});
    change(&place.foos, "foo", scale).await?;
    place.until(&place.deployments, "web", has(3)).await?;

    // What somebody else does to it is undone.
    let scale = json!({"spec": {"replicas": 5}});
    change(&place.deployments, "web", scale).await?;
    place.until(&place.deployments, "web", has(3)).await?;
    place.end().await
}

#[tokio::test]
async fn replicas_are_from_1_to_10() -> anyhow::Result<()> {
    let Some(place) = Place::new("foo-bounds").await? else {
        return Ok(());
    };
    for (name, replicas) in [("least", 1), ("most", 10)] {
        place.foo(name, name, Some(replicas)).await?;
    }
    for replicas in [0, 11] {
        let refused = place.foo("foo", "web", Some(replicas)).await.unwrap_err();
        let field = "spec.replicas: Invalid value";
        assert!(refused.to_string().contains(field), "{refused}");
    }
    place.end().await
}

#[tokio::test]
async fn the_status_has_the_available_replicas_of_the_deployment() -> anyhow::Result<()> {
    let Some(place) = Place::new("foo-status").await? else {
        return Ok(());
    };
    place.foo("foo", "web", Some(2)).await?;
    let has = |available| {
        move |object: &Foo| {
            let status = object.status.as_ref();
            status.is_some_and(|status| status.available_replicas == available)
        }
    };
    place.until(&place.foos, "foo", has(0)).await?;
    for available in [2, 1] {
        let pods = json!({"replicas": 2, "readyReplicas": 2, "availableReplicas": available});
        let status = Patch::Merge(json!({"status": pods}));
        let patch = PatchParams::default();
        place
            .deployments
            .patch_status("web", &patch, &status)
            .await?;
        place.until(&place.foos, "foo", has(available)).await?;
    }
    place.end().await
}

#[tokio::test]
async fn a_deployment_that_is_deleted_by_hand_comes_back() -> anyhow::Result<()> {
    let Some(place) = Place::new("foo-deleted").await? else {
        return Ok(());
    };
    place.foo("foo", "web", None).await?;
    let first = place.until(&place.deployments, "web", |_| true).await?;
    let delete = DeleteParams::default();
    place.deployments.delete("web", &delete).await?;
    let another = |web: &Deployment| web.uid() != first.uid();
    place.until(&place.deployments, "web", another).await?;
    place.end().await
}

#[tokio::test]
async fn a_deployment_of_somebody_else_is_left_alone_until_it_is_gone() -> anyhow::Result<()> {
    let Some(place) = Place::new("foo-foreign").await? else {
        return Ok(());
    };
    let post = PostParams::default();
    let theirs = place.deployments.create(&post, &foreign("web")?).await?;
    place.foo("foo", "web", Some(3)).await?;
    // It is tried again and again.
    let event = place.told("foo", "ErrResourceExists", 3).await?;
    assert_eq!(event.type_.as_deref(), Some("Warning"));
    assert_eq!(place.deployments.get("web").await?, theirs);

    let delete = DeleteParams::default();
    place.deployments.delete("web", &delete).await?;
    let ours = |web: &Deployment| replicas(web) == Some(3);
    place.until(&place.deployments, "web", ours).await?;
    place.told("foo", "Synced", 1).await?;
    place.end().await
}

#[tokio::test]
async fn a_deployment_of_another_foo_is_left_alone() -> anyhow::Result<()> {
    let Some(place) = Place::new("foo-rivals").await? else {
        return Ok(());
    };
    place.foo("first", "web", Some(2)).await?;
    let theirs = place.until(&place.deployments, "web", |_| true).await?;
    place.foo("second", "web", Some(3)).await?;
    place.told("second", "ErrResourceExists", 3).await?;
    assert_eq!(place.deployments.get("web").await?, theirs);
    assert!(place.events("second", "Synced").await?.is_empty());
    place.end().await
}

#[tokio::test]
async fn an_empty_name_is_reported_and_not_tried_again_until_it_is_mended() -> anyhow::Result<()> {
    let Some(place) = Place::new("foo-nameless").await? else {
        return Ok(());
    };
    place.foo("foo", "", None).await?;
    let event = place.told("foo", "ErrNameMissing", 1).await?;
    assert_eq!(event.type_.as_deref(), Some("Warning"));
    place.counted(ERRORS, 1).await?;
    assert_eq!(place.metric(RETRIES)?, 0);

    let named = json!({"spec": {"deploymentName": "web"}});
    change(&place.foos, "foo", named).await?;
    place.until(&place.deployments, "web", |_| true).await?;
    place.end().await
}

#[tokio::test]
async fn success_is_told_by_one_event_that_is_counted() -> anyhow::Result<()> {
    let Some(place) = Place::new("foo-events").await? else {
        return Ok(());
    };
    place.foo("foo", "web", None).await?;
    let event = place.told("foo", "Synced", 1).await?;
    assert_eq!(event.type_.as_deref(), Some("Normal"));
    for (replicas, times) in [(2, 2), (3, 3)] {
        let scale = json!({"spec": {"replicas": replicas}});
        change(&place.foos, "foo", scale).await?;
        place.told("foo", "Synced", times).await?;
    }
    assert_eq!(place.events("foo", "Synced").await?.len(), 1);
    place.end().await
}

#[tokio::test]
async fn an_operator_that_finds_all_done_sends_nothing() -> anyhow::Result<()> {
    let Some(place) = Place::new("foo-done").await? else {
        return Ok(());
    };
    place.foo("foo", "web", Some(2)).await?;
    place.told("foo", "Synced", 1).await?;
    place.end().await?;

    let Some(place) = Place::watching("foo-restarted", "foo-done").await? else {
        return Ok(());
    };
    place.counted(SUCCESSES, 1).await?;
    // Events are sent a moment later.
    sleep(Duration::from_millis(200)).await;
    for call in place.operator.calls() {
        assert!(matches!(call.verb(), "list" | "watch"), "{call}");
    }
    place.end().await
}

#[tokio::test]
async fn two_foos_are_reconciled_at_a_time() -> anyhow::Result<()> {
    let Some(place) = Place::new("foo-workers").await? else {
        return Ok(());
    };
    place.foo("foo", "web", None).await?;
    place.counted(SUCCESSES, 1).await?;
    assert_eq!(place.metric(WORKERS)?, 2);
    place.end().await
}
