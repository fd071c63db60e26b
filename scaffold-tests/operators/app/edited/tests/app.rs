// SPDX-License-Identifier: Apache-2.0

//! What becomes of an App on a real API server. The operator runs under its own role: config/rbac.
//!
//! Nobody runs Deployments here: where pods are to be available, a test says so in the status.

mod place;

use std::time::Duration;

use anyhow::Context;
use k8s_openapi::api::apps::v1::Deployment;
use k8s_openapi::api::core::v1::Service;
use kb::serde_json::json;
use kube::ResourceExt;
use kube::api::{DeleteParams, Patch, PatchParams, PostParams};
use tokio::time::sleep;

use app_api::v1::App;
use place::{Place, change, foreign_deployment, foreign_service};

const SAMPLE: &str = include_str!("../config/samples/myapp_v1_app.yaml");

const SUCCESSES: &str = r#"controller_runtime_reconcile_total{controller="app",result="success"}"#;
const ERRORS: &str = r#"controller_runtime_reconcile_errors_total{controller="app"}"#;
const RETRIES: &str = r#"workqueue_retries_total{name="app",controller="app"}"#;

#[tokio::test]
async fn the_sample_gets_a_deployment_and_a_service_that_leads_to_it() -> anyhow::Result<()> {
    let Some(place) = Place::new("app-sample").await? else {
        return Ok(());
    };
    let sample: App = serde_saphyr::from_str(SAMPLE)?;
    let app = place.apps.create(&PostParams::default(), &sample).await?;
    let deployment = place
        .until(&place.deployments, "example-app", |_| true)
        .await?;
    let service = place
        .until(&place.services, "example-app", |_| true)
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
    place.end().await
}

#[tokio::test]
async fn the_status_has_the_available_replicas_of_the_deployment() -> anyhow::Result<()> {
    let Some(place) = Place::new("app-status").await? else {
        return Ok(());
    };
    place.app("app", "web", "web").await?;
    let has = |available| {
        move |app: &App| {
            let status = app.status.as_ref();
            status.is_some_and(|status| status.available_replicas == available)
        }
    };
    place.until(&place.apps, "app", has(0)).await?;

    let pods = json!({"replicas": 2, "readyReplicas": 2, "availableReplicas": 1});
    let status = Patch::Merge(json!({"status": pods}));
    let patch = PatchParams::default();
    place
        .deployments
        .patch_status("web", &patch, &status)
        .await?;
    place.until(&place.apps, "app", has(1)).await?;
    place.end().await
}

#[tokio::test]
async fn what_is_deleted_by_hand_comes_back() -> anyhow::Result<()> {
    let Some(place) = Place::new("app-deleted").await? else {
        return Ok(());
    };
    place.app("app", "web", "web").await?;
    let delete = DeleteParams::default();

    let first = place.until(&place.deployments, "web", |_| true).await?;
    place.deployments.delete("web", &delete).await?;
    let another = |web: &Deployment| web.uid() != first.uid();
    place.until(&place.deployments, "web", another).await?;

    let first = place.until(&place.services, "web", |_| true).await?;
    place.services.delete("web", &delete).await?;
    let another = |web: &Service| web.uid() != first.uid();
    place.until(&place.services, "web", another).await?;
    place.end().await
}

#[tokio::test]
async fn a_deployment_of_somebody_else_is_left_alone() -> anyhow::Result<()> {
    let Some(place) = Place::new("app-foreign-deployment").await? else {
        return Ok(());
    };
    let (theirs, post) = (foreign_deployment("web")?, PostParams::default());
    let theirs = place.deployments.create(&post, &theirs).await?;
    place.app("app", "web", "web").await?;
    place.told("ErrDeployment", 3).await?;
    assert_eq!(place.deployments.get("web").await?, theirs);
    place.end().await
}

#[tokio::test]
async fn a_service_of_somebody_else_is_left_alone() -> anyhow::Result<()> {
    let Some(place) = Place::new("app-foreign-service").await? else {
        return Ok(());
    };
    let (theirs, post) = (foreign_service("web")?, PostParams::default());
    let theirs = place.services.create(&post, &theirs).await?;
    place.app("app", "web", "web").await?;
    place.told("ErrService", 3).await?;
    assert_eq!(place.services.get("web").await?, theirs);
    place.end().await
}

#[tokio::test]
async fn what_another_app_has_is_left_alone() -> anyhow::Result<()> {
    let Some(place) = Place::new("app-rivals").await? else {
        return Ok(());
    };
    place.app("first", "web", "web").await?;
    let deployment = place.until(&place.deployments, "web", |_| true).await?;
    let service = place.until(&place.services, "web", |_| true).await?;
    place.app("second", "web", "other").await?;
    place.told("ErrDeployment", 1).await?;
    place.app("third", "other", "web").await?;
    place.told("ErrService", 1).await?;
    assert_eq!(place.deployments.get("web").await?, deployment);
    assert_eq!(place.services.get("web").await?, service);
    place.end().await
}

#[tokio::test]
async fn a_failing_app_is_tried_again_10_times_and_rests_until_it_changes() -> anyhow::Result<()> {
    let Some(place) = Place::new("app-retries").await? else {
        return Ok(());
    };
    let (theirs, post) = (foreign_deployment("taken")?, PostParams::default());
    place.deployments.create(&post, &theirs).await?;
    place.app("stuck", "taken", "stuck").await?;
    place.told("ErrDeployment", 2).await?;

    // Others go on.
    place.app("fine", "fine", "fine").await?;
    place.until(&place.services, "fine", |_| true).await?;

    let event = place.told("ErrDeployment", 11).await?;
    place.counted(ERRORS, 11).await?;
    assert_eq!(place.metric(RETRIES)?, 10, "the last failure has no retry");
    // The delays double: 5 ms, 10 ms and so on to 2560 ms, which is 5115 ms together.
    let last = event.series.context("a series")?.last_observed_time.0;
    let took = last.duration_since(event.event_time.context("a time")?.0);
    assert!(took.as_secs() >= 4, "{took:?}");

    let delete = DeleteParams::default();
    place.deployments.delete("taken", &delete).await?;
    let image = json!({"spec": {"deployment": {"image": "nginx:2"}}});
    change(&place.apps, "stuck", image).await?;
    place.until(&place.services, "stuck", |_| true).await?;
    assert_eq!(place.metric(ERRORS)?, 11);
    place.end().await
}

#[tokio::test]
async fn an_operator_that_finds_all_done_sends_nothing() -> anyhow::Result<()> {
    let Some(place) = Place::new("app-done").await? else {
        return Ok(());
    };
    place.app("app", "web", "web").await?;
    place
        .until(&place.apps, "app", |app| app.status.is_some())
        .await?;
    place.end().await?;

    let Some(place) = Place::watching("app-restarted", "app-done").await? else {
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
