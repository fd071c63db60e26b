// SPDX-License-Identifier: Apache-2.0

//! Integration tests of the App controller against a real API server.
//!
//! The operator runs with the permissions in config/rbac. The control plane does not run pods: the tests patch the status of
//! Deployments instead.

mod harness;

use std::time::Duration;

use anyhow::Context;
use k8s_openapi::api::apps::v1::Deployment;
use k8s_openapi::api::core::v1::Service;
use kb::serde_json::json;
use kube::ResourceExt;
use kube::api::{DeleteParams, Patch, PatchParams, PostParams};
use tokio::time::sleep;

use app_api::v1::App;
use harness::{Harness, patch, unowned_deployment, unowned_service};

const SAMPLE: &str = include_str!("../config/samples/myapp_v1_app.yaml");

const SUCCESSES: &str = r#"controller_runtime_reconcile_total{controller="app",result="success"}"#;
const ERRORS: &str = r#"controller_runtime_reconcile_errors_total{controller="app"}"#;
const RETRIES: &str = r#"workqueue_retries_total{name="app",controller="app"}"#;

#[tokio::test]
async fn sample_gets_a_deployment_and_a_service() -> anyhow::Result<()> {
    let Some(harness) = Harness::new("app-sample").await? else {
        return Ok(());
    };
    let sample: App = serde_saphyr::from_str(SAMPLE)?;
    let app = harness.apps.create(&PostParams::default(), &sample).await?;
    let deployment = harness
        .wait_for(&harness.deployments, "example-app", |_| true)
        .await?;
    let service = harness
        .wait_for(&harness.services, "example-app", |_| true)
        .await?;

    let labels = json!({"app": app.name_any()});
    assert_eq!(json!(deployment.labels()), labels);
    assert_eq!(json!(service.labels()), labels);
    for owners in [deployment.owner_references(), service.owner_references()] {
        assert_eq!(Some(&owners[0].uid), app.metadata.uid.as_ref());
        assert_eq!(owners[0].controller, Some(true));
    }
    let (deployment, service) = (json!(deployment.spec), json!(service.spec));
    assert_eq!(deployment["replicas"], 2);
    assert_eq!(deployment["selector"]["matchLabels"], labels);
    let template = &deployment["template"];
    assert_eq!(template["metadata"]["labels"], labels);
    let container = &template["spec"]["containers"][0];
    assert_eq!(container["image"], "nginx:latest");
    assert_eq!(container["ports"][0]["containerPort"], 80);
    assert_eq!(service["selector"], labels);
    assert_eq!(service["ports"][0]["port"], 80);
    assert_eq!(service["ports"][0]["targetPort"], 80);
    harness.stop().await
}

#[tokio::test]
async fn status_reports_the_available_replicas_of_the_deployment() -> anyhow::Result<()> {
    let Some(harness) = Harness::new("app-status").await? else {
        return Ok(());
    };
    harness.create_app("app", "web", "web").await?;
    let has = |available| {
        move |app: &App| {
            let status = app.status.as_ref();
            status.is_some_and(|status| status.available_replicas == available)
        }
    };
    harness.wait_for(&harness.apps, "app", has(0)).await?;

    let pods = json!({"replicas": 2, "readyReplicas": 2, "availableReplicas": 1});
    let status = Patch::Merge(json!({"status": pods}));
    let params = PatchParams::default();
    harness
        .deployments
        .patch_status("web", &params, &status)
        .await?;
    harness.wait_for(&harness.apps, "app", has(1)).await?;
    harness.stop().await
}

#[tokio::test]
async fn recreates_deleted_objects() -> anyhow::Result<()> {
    let Some(harness) = Harness::new("app-deleted").await? else {
        return Ok(());
    };
    harness.create_app("app", "web", "web").await?;
    let delete = DeleteParams::default();

    let first = harness
        .wait_for(&harness.deployments, "web", |_| true)
        .await?;
    harness.deployments.delete("web", &delete).await?;
    let recreated = |web: &Deployment| web.uid() != first.uid();
    harness
        .wait_for(&harness.deployments, "web", recreated)
        .await?;

    let first = harness.wait_for(&harness.services, "web", |_| true).await?;
    harness.services.delete("web", &delete).await?;
    let recreated = |web: &Service| web.uid() != first.uid();
    harness
        .wait_for(&harness.services, "web", recreated)
        .await?;
    harness.stop().await
}

#[tokio::test]
async fn does_not_take_over_an_unowned_deployment() -> anyhow::Result<()> {
    let Some(harness) = Harness::new("app-foreign-deployment").await? else {
        return Ok(());
    };
    let (theirs, post) = (unowned_deployment("web")?, PostParams::default());
    let theirs = harness.deployments.create(&post, &theirs).await?;
    harness.create_app("app", "web", "web").await?;
    harness.wait_for_event("ErrDeployment", 3).await?;
    assert_eq!(harness.deployments.get("web").await?, theirs);
    harness.stop().await
}

#[tokio::test]
async fn does_not_take_over_an_unowned_service() -> anyhow::Result<()> {
    let Some(harness) = Harness::new("app-foreign-service").await? else {
        return Ok(());
    };
    let (theirs, post) = (unowned_service("web")?, PostParams::default());
    let theirs = harness.services.create(&post, &theirs).await?;
    harness.create_app("app", "web", "web").await?;
    harness.wait_for_event("ErrService", 3).await?;
    assert_eq!(harness.services.get("web").await?, theirs);
    harness.stop().await
}

#[tokio::test]
async fn does_not_take_over_objects_of_another_app() -> anyhow::Result<()> {
    let Some(harness) = Harness::new("app-rivals").await? else {
        return Ok(());
    };
    harness.create_app("first", "web", "web").await?;
    let deployment = harness
        .wait_for(&harness.deployments, "web", |_| true)
        .await?;
    let service = harness.wait_for(&harness.services, "web", |_| true).await?;
    harness.create_app("second", "web", "other").await?;
    harness.wait_for_event("ErrDeployment", 1).await?;
    harness.create_app("third", "other", "web").await?;
    harness.wait_for_event("ErrService", 1).await?;
    assert_eq!(harness.deployments.get("web").await?, deployment);
    assert_eq!(harness.services.get("web").await?, service);
    harness.stop().await
}

#[tokio::test]
async fn retries_10_times_and_then_waits_for_a_change() -> anyhow::Result<()> {
    let Some(harness) = Harness::new("app-retries").await? else {
        return Ok(());
    };
    let (theirs, post) = (unowned_deployment("taken")?, PostParams::default());
    harness.deployments.create(&post, &theirs).await?;
    harness.create_app("stuck", "taken", "stuck").await?;
    harness.wait_for_event("ErrDeployment", 2).await?;

    // Other Apps are not affected.
    harness.create_app("fine", "fine", "fine").await?;
    harness
        .wait_for(&harness.services, "fine", |_| true)
        .await?;

    let event = harness.wait_for_event("ErrDeployment", 11).await?;
    harness.wait_for_metric(ERRORS, 11).await?;
    assert_eq!(
        harness.metric(RETRIES)?,
        10,
        "the last failure is not retried"
    );
    // The backoff doubles from 5 ms to 2560 ms: 5115 ms in total.
    let last = event.series.context("no series")?.last_observed_time.0;
    let took = last.duration_since(event.event_time.context("no event time")?.0);
    assert!(took.as_secs() >= 4, "{took:?}");

    let delete = DeleteParams::default();
    harness.deployments.delete("taken", &delete).await?;
    let image = json!({"spec": {"deployment": {"image": "nginx:2"}}});
    patch(&harness.apps, "stuck", image).await?;
    harness
        .wait_for(&harness.services, "stuck", |_| true)
        .await?;
    assert_eq!(harness.metric(ERRORS)?, 11);
    harness.stop().await
}

#[tokio::test]
async fn restarted_operator_sends_no_writes() -> anyhow::Result<()> {
    let Some(harness) = Harness::new("app-done").await? else {
        return Ok(());
    };
    harness.create_app("app", "web", "web").await?;
    harness
        .wait_for(&harness.apps, "app", |app| app.status.is_some())
        .await?;
    harness.stop().await?;

    let Some(harness) = Harness::watching("app-restarted", "app-done").await? else {
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
