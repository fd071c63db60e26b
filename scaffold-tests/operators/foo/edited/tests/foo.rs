// SPDX-License-Identifier: Apache-2.0

//! Integration tests of the Foo controller against a real API server.
//!
//! The operator runs with the permissions in config/rbac. The control plane does not run pods: the tests patch the status of
//! Deployments instead.

mod harness;

use std::time::Duration;

use k8s_openapi::api::apps::v1::Deployment;
use k8s_openapi::apiextensions_apiserver::pkg::apis::apiextensions::v1::CustomResourceDefinition;
use kb::serde_json::json;
use kube::api::{DeleteParams, Patch, PatchParams, PostParams};
use kube::{Api, ResourceExt};
use tokio::time::sleep;

use foo_api::v1alpha1::Foo;
use harness::{Harness, control_plane, patch, replicas, unowned_deployment};

const SAMPLE: &str = include_str!("../config/samples/samplecontroller_v1alpha1_foo.yaml");

const SUCCESSES: &str = r#"controller_runtime_reconcile_total{controller="foo",result="success"}"#;
const ERRORS: &str = r#"controller_runtime_reconcile_errors_total{controller="foo"}"#;
const RETRIES: &str = r#"workqueue_retries_total{name="foo",controller="foo"}"#;
const WORKERS: &str = r#"controller_runtime_max_concurrent_reconciles{controller="foo"}"#;

#[tokio::test]
async fn crd_is_annotated_as_unapproved() -> anyhow::Result<()> {
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
async fn sample_gets_a_deployment() -> anyhow::Result<()> {
    let Some(harness) = Harness::new("foo-sample").await? else {
        return Ok(());
    };
    let sample: Foo = serde_saphyr::from_str(SAMPLE)?;
    let sample = harness.foos.create(&PostParams::default(), &sample).await?;

    let deployment = harness
        .wait_for(&harness.deployments, "example-foo", |_| true)
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
    harness.stop().await
}

#[tokio::test]
async fn deployment_has_the_replicas_of_the_spec() -> anyhow::Result<()> {
    let Some(harness) = Harness::new("foo-replicas").await? else {
        return Ok(());
    };
    harness.create_foo("foo", "web", None).await?;
    let has = |count| move |web: &Deployment| replicas(web) == Some(count);
    harness
        .wait_for(&harness.deployments, "web", has(1))
        .await?;

    let scale = json!({"spec": {"replicas": 3}});
    patch(&harness.foos, "foo", scale).await?;
    harness
        .wait_for(&harness.deployments, "web", has(3))
        .await?;

    // Changes by others are reverted.
    let scale = json!({"spec": {"replicas": 5}});
    patch(&harness.deployments, "web", scale).await?;
    harness
        .wait_for(&harness.deployments, "web", has(3))
        .await?;
    harness.stop().await
}

#[tokio::test]
async fn replicas_must_be_between_1_and_10() -> anyhow::Result<()> {
    let Some(harness) = Harness::new("foo-bounds").await? else {
        return Ok(());
    };
    for (name, replicas) in [("least", 1), ("most", 10)] {
        harness.create_foo(name, name, Some(replicas)).await?;
    }
    for replicas in [0, 11] {
        let error = harness
            .create_foo("foo", "web", Some(replicas))
            .await
            .unwrap_err();
        let field = "spec.replicas: Invalid value";
        assert!(error.to_string().contains(field), "{error}");
    }
    harness.stop().await
}

#[tokio::test]
async fn status_reports_the_available_replicas_of_the_deployment() -> anyhow::Result<()> {
    let Some(harness) = Harness::new("foo-status").await? else {
        return Ok(());
    };
    harness.create_foo("foo", "web", Some(2)).await?;
    let has = |available| {
        move |object: &Foo| {
            let status = object.status.as_ref();
            status.is_some_and(|status| status.available_replicas == available)
        }
    };
    harness.wait_for(&harness.foos, "foo", has(0)).await?;
    for available in [2, 1] {
        let pods = json!({"replicas": 2, "readyReplicas": 2, "availableReplicas": available});
        let status = Patch::Merge(json!({"status": pods}));
        let params = PatchParams::default();
        harness
            .deployments
            .patch_status("web", &params, &status)
            .await?;
        harness
            .wait_for(&harness.foos, "foo", has(available))
            .await?;
    }
    harness.stop().await
}

#[tokio::test]
async fn recreates_a_deleted_deployment() -> anyhow::Result<()> {
    let Some(harness) = Harness::new("foo-deleted").await? else {
        return Ok(());
    };
    harness.create_foo("foo", "web", None).await?;
    let first = harness
        .wait_for(&harness.deployments, "web", |_| true)
        .await?;
    let delete = DeleteParams::default();
    harness.deployments.delete("web", &delete).await?;
    let recreated = |web: &Deployment| web.uid() != first.uid();
    harness
        .wait_for(&harness.deployments, "web", recreated)
        .await?;
    harness.stop().await
}

#[tokio::test]
async fn does_not_take_over_an_unowned_deployment() -> anyhow::Result<()> {
    let Some(harness) = Harness::new("foo-foreign").await? else {
        return Ok(());
    };
    let post = PostParams::default();
    let theirs = harness
        .deployments
        .create(&post, &unowned_deployment("web")?)
        .await?;
    harness.create_foo("foo", "web", Some(3)).await?;
    // The reconcile is retried.
    let event = harness
        .wait_for_event("foo", "ErrResourceExists", 3)
        .await?;
    assert_eq!(event.type_.as_deref(), Some("Warning"));
    assert_eq!(harness.deployments.get("web").await?, theirs);

    let delete = DeleteParams::default();
    harness.deployments.delete("web", &delete).await?;
    let ours = |web: &Deployment| replicas(web) == Some(3);
    harness.wait_for(&harness.deployments, "web", ours).await?;
    harness.wait_for_event("foo", "Synced", 1).await?;
    harness.stop().await
}

#[tokio::test]
async fn does_not_take_over_a_deployment_of_another_foo() -> anyhow::Result<()> {
    let Some(harness) = Harness::new("foo-rivals").await? else {
        return Ok(());
    };
    harness.create_foo("first", "web", Some(2)).await?;
    let theirs = harness
        .wait_for(&harness.deployments, "web", |_| true)
        .await?;
    harness.create_foo("second", "web", Some(3)).await?;
    harness
        .wait_for_event("second", "ErrResourceExists", 3)
        .await?;
    assert_eq!(harness.deployments.get("web").await?, theirs);
    assert!(harness.events("second", "Synced").await?.is_empty());
    harness.stop().await
}

#[tokio::test]
async fn empty_name_is_a_terminal_error() -> anyhow::Result<()> {
    let Some(harness) = Harness::new("foo-nameless").await? else {
        return Ok(());
    };
    harness.create_foo("foo", "", None).await?;
    let event = harness.wait_for_event("foo", "ErrNameMissing", 1).await?;
    assert_eq!(event.type_.as_deref(), Some("Warning"));
    harness.wait_for_metric(ERRORS, 1).await?;
    assert_eq!(harness.metric(RETRIES)?, 0);

    let named = json!({"spec": {"deploymentName": "web"}});
    patch(&harness.foos, "foo", named).await?;
    harness
        .wait_for(&harness.deployments, "web", |_| true)
        .await?;
    harness.stop().await
}

#[tokio::test]
async fn repeated_success_events_are_aggregated() -> anyhow::Result<()> {
    let Some(harness) = Harness::new("foo-events").await? else {
        return Ok(());
    };
    harness.create_foo("foo", "web", None).await?;
    let event = harness.wait_for_event("foo", "Synced", 1).await?;
    assert_eq!(event.type_.as_deref(), Some("Normal"));
    for (replicas, count) in [(2, 2), (3, 3)] {
        let scale = json!({"spec": {"replicas": replicas}});
        patch(&harness.foos, "foo", scale).await?;
        harness.wait_for_event("foo", "Synced", count).await?;
    }
    assert_eq!(harness.events("foo", "Synced").await?.len(), 1);
    harness.stop().await
}

#[tokio::test]
async fn restarted_operator_sends_no_writes() -> anyhow::Result<()> {
    let Some(harness) = Harness::new("foo-done").await? else {
        return Ok(());
    };
    harness.create_foo("foo", "web", Some(2)).await?;
    harness.wait_for_event("foo", "Synced", 1).await?;
    harness.stop().await?;

    let Some(harness) = Harness::watching("foo-restarted", "foo-done").await? else {
        return Ok(());
    };
    harness.wait_for_metric(SUCCESSES, 1).await?;
    // Events are published asynchronously.
    sleep(Duration::from_millis(200)).await;
    for call in harness.operator.calls() {
        assert!(matches!(call.verb(), "list" | "watch"), "{call}");
    }
    harness.stop().await
}

#[tokio::test]
async fn reconciles_two_foos_concurrently() -> anyhow::Result<()> {
    let Some(harness) = Harness::new("foo-workers").await? else {
        return Ok(());
    };
    harness.create_foo("foo", "web", None).await?;
    harness.wait_for_metric(SUCCESSES, 1).await?;
    assert_eq!(harness.metric(WORKERS)?, 2);
    harness.stop().await
}
