// SPDX-License-Identifier: Apache-2.0

//! What becomes of an AppService on a real API server. The operator runs under its own role: config/rbac.

mod place;

use kb::serde_json::{from_value, json};
use kube::ResourceExt;
use kube::api::{DeleteParams, Patch, PatchParams, PostParams};

use appservice_api::v1alpha1::{AppService, AppServiceSpec};
use place::fields::{
    available, cluster_ip, container_ports, image, is_not_ready, is_ready, ports, replicas,
};
use place::{Place, SHOP, change};

const SAMPLE: &str = include_str!("../config/samples/batch_v1alpha1_appservice.yaml");

/// Two pods of an image behind port 80.
fn spec() -> AppServiceSpec {
    AppServiceSpec {
        image: "shop:1".to_owned(),
        replicas: Some(2),
        port: 80,
    }
}

#[tokio::test]
async fn the_sample_is_ready_when_its_pods_are_available() -> anyhow::Result<()> {
    let Some(place) = Place::new("appservice-sample").await? else {
        return Ok(());
    };
    let sample: AppService = serde_saphyr::from_str(SAMPLE)?;
    let made = place.make(SHOP, sample.spec).await?;
    assert_eq!(available(&made), Some(0));

    place.run_pods(2).await?;
    let ready = place.shop("is ready", is_ready).await?;
    assert_eq!(available(&ready), Some(2));

    place.ask(json!({"replicas": 3})).await?;
    let waiting = place.shop("waits for a pod", is_not_ready).await?;
    assert_eq!(available(&waiting), Some(2));
    place.end().await
}

#[tokio::test]
async fn pods_of_an_earlier_image_do_not_make_a_new_one_ready() -> anyhow::Result<()> {
    let Some(place) = Place::new("appservice-rollout").await? else {
        return Ok(());
    };
    place.make(SHOP, spec()).await?;
    place.run_pods(2).await?;
    place.shop("is ready", is_ready).await?;

    // Its pods never start: the two of the first image go on, and are available.
    place.ask(json!({"image": "shop:broken"})).await?;
    let waiting = place.shop("waits for pods", is_not_ready).await?;
    assert_eq!(available(&waiting), Some(2));
    place.end().await
}

#[tokio::test]
async fn any_change_of_the_spec_reaches_the_deployment_and_the_service() -> anyhow::Result<()> {
    let Some(place) = Place::new("appservice-changes").await? else {
        return Ok(());
    };
    place.make(SHOP, spec()).await?;
    let deployment = place.deployments.get(SHOP).await?;
    assert_eq!(image(&deployment), "shop:1");
    assert_eq!(replicas(&deployment), Some(2));
    assert_eq!(container_ports(&deployment), [80]);
    let service = place.services.get(SHOP).await?;
    assert_eq!(ports(&service), [80]);

    place.ask(json!({"image": "shop:2"})).await?;
    place
        .deployment("has the image", |it| image(it) == "shop:2")
        .await?;
    place.ask(json!({"replicas": 3})).await?;
    place
        .deployment("has three pods", |it| replicas(it) == Some(3))
        .await?;
    place.ask(json!({"port": 8080})).await?;
    place
        .deployment("has the port", |it| container_ports(it) == [8080])
        .await?;
    let changed = place
        .service("has the port", |it| ports(it) == [8080])
        .await?;
    assert!(cluster_ip(&service).is_some());
    assert_eq!(cluster_ip(&changed), cluster_ip(&service));
    place.end().await
}

#[tokio::test]
async fn what_others_manage_is_not_fought_over() -> anyhow::Result<()> {
    let Some(place) = Place::new("appservice-others").await? else {
        return Ok(());
    };
    let replicas_left_open = AppServiceSpec {
        replicas: None,
        ..spec()
    };
    place.make(SHOP, replicas_left_open).await?;

    // As an autoscaler does it.
    let (params, five) = (PatchParams::default(), json!({"spec": {"replicas": 5}}));
    let five = Patch::Merge(five);
    place.deployments.patch_scale(SHOP, &params, &five).await?;
    let theirs = json!({"metadata": {"annotations": {"example.com/team": "blue"}}});
    change(&place.deployments, theirs.clone()).await?;
    change(&place.services, theirs).await?;

    place.ask(json!({"image": "shop:2", "port": 8080})).await?;
    let deployment = place
        .deployment("has the image", |it| image(it) == "shop:2")
        .await?;
    let service = place
        .service("has the port", |it| ports(it) == [8080])
        .await?;
    assert_eq!(replicas(&deployment), Some(5));
    assert_eq!(deployment.annotations()["example.com/team"], "blue");
    assert_eq!(service.annotations()["example.com/team"], "blue");
    place.end().await
}

#[tokio::test]
async fn what_the_spec_asks_for_is_restored() -> anyhow::Result<()> {
    let Some(place) = Place::new("appservice-restored").await? else {
        return Ok(());
    };
    place.make(SHOP, spec()).await?;
    change(&place.deployments, json!({"spec": {"replicas": 9}})).await?;
    place
        .deployment("has two pods", |it| replicas(it) == Some(2))
        .await?;

    let gone = place.services.get(SHOP).await?;
    let delete = DeleteParams::default();
    place.services.delete(SHOP, &delete).await?;
    place
        .service("is made again", |it| it.uid() != gone.uid())
        .await?;
    place.end().await
}

#[tokio::test]
async fn an_object_that_is_being_deleted_is_not_touched() -> anyhow::Result<()> {
    let Some(place) = Place::new("appservice-dying").await? else {
        return Ok(());
    };
    place.make(SHOP, spec()).await?;
    // A finalizer of somebody else holds it.
    let held = json!({"metadata": {"finalizers": ["example.com/hold"]}});
    change(&place.objects, held).await?;
    let delete = DeleteParams::default();
    place.objects.delete(SHOP, &delete).await?;

    let dying = place.ask(json!({"image": "shop:2", "port": 8080})).await?;
    // The operator sees them in their order: when this one is made, it has seen the other.
    place.make("later", spec()).await?;
    assert_eq!(image(&place.deployments.get(SHOP).await?), "shop:1");
    assert_eq!(ports(&place.services.get(SHOP).await?), [80]);
    let untouched = place.objects.get(SHOP).await?;
    assert_eq!(untouched.resource_version(), dying.resource_version());
    place.end().await
}

#[tokio::test]
async fn the_children_of_a_deleted_object_go_with_it() -> anyhow::Result<()> {
    let Some(place) = Place::new("appservice-deleted").await? else {
        return Ok(());
    };
    place.make(SHOP, spec()).await?;
    let deployment = place.deployments.get(SHOP).await?;
    let service = place.services.get(SHOP).await?;

    let delete = DeleteParams::default();
    place.objects.delete(SHOP, &delete).await?;
    place.gone(&place.deployments, &deployment).await?;
    place.gone(&place.services, &service).await?;
    place.end().await
}

#[tokio::test]
async fn nothing_is_sent_when_nothing_changed() -> anyhow::Result<()> {
    let Some(place) = Place::new("appservice-idle").await? else {
        return Ok(());
    };
    place.make(SHOP, spec()).await?;
    place.end().await?;

    // An operator that has just been started looks at everything.
    let Some(place) = Place::new("appservice-idle").await? else {
        return Ok(());
    };
    place.make("later", spec()).await?;
    let is_about = |name: &str| {
        let calls = place.operator.calls();
        calls.iter().any(|call| call.to_string().contains(name))
    };
    assert!(is_about(", later,"));
    assert!(!is_about(", shop,"), "{:#?}", place.operator.calls());
    place.end().await
}

#[tokio::test]
async fn what_belongs_to_somebody_else_is_left_alone() -> anyhow::Result<()> {
    let Some(place) = Place::new("appservice-foreign").await? else {
        return Ok(());
    };
    let post = PostParams::default();
    let theirs = json!({"metadata": {"name": SHOP}, "spec": {"ports": [{"port": 1}]}});
    let their_service = place.services.create(&post, &from_value(theirs)?).await?;
    let labels = json!({"app": "theirs"});
    let container = json!({"name": "theirs", "image": "theirs"});
    let pods = json!({"metadata": {"labels": labels}, "spec": {"containers": [container]}});
    let theirs = json!({"selector": {"matchLabels": labels}, "template": pods});
    let theirs = from_value(json!({"metadata": {"name": SHOP}, "spec": theirs}))?;
    place.deployments.create(&post, &theirs).await?;
    let shop = AppService::new(SHOP, spec());
    place.objects.create(&post, &shop).await?;

    let warning = place.warning().await?;
    let reason = "it exists, and `appservice` did not make it";
    assert!(warning.contains(reason), "{warning}");
    assert_eq!(place.services.get(SHOP).await?, their_service);

    // It is tried again, and comes right when both names are free.
    let delete = DeleteParams::default();
    place.services.delete(SHOP, &delete).await?;
    place
        .service("is ours", |it| it.uid() != their_service.uid())
        .await?;
    assert_eq!(image(&place.deployments.get(SHOP).await?), "theirs");
    place.deployments.delete(SHOP, &delete).await?;
    place.shop("is made", is_not_ready).await?;
    place.end().await
}

#[tokio::test]
async fn what_cannot_work_is_refused() -> anyhow::Result<()> {
    let Some(place) = Place::new("appservice-refused").await? else {
        return Ok(());
    };
    for (name, image, replicas, port, expected) in [
        ("shop", "", 1, 80, "spec.image"),
        ("shop", "shop:1", -1, 80, "spec.replicas"),
        ("shop", "shop:1", 1, 0, "spec.port"),
        ("shop", "shop:1", 1, 65536, "spec.port"),
        ("1st", "shop:1", 1, 80, "one that a Service can have"),
    ] {
        let spec = AppServiceSpec {
            image: image.to_owned(),
            replicas: Some(replicas),
            port,
        };
        let object = AppService::new(name, spec);
        let refused = place.objects.create(&PostParams::default(), &object).await;
        let error = refused.expect_err(expected).to_string();
        assert!(error.contains(expected), "{error}");
    }
    place.end().await
}
