// SPDX-License-Identifier: Apache-2.0

//! What becomes of a Release on a real API server. The operator runs under its own role: config/rbac.

use std::time::Duration;

use k8s_openapi::api::core::v1::ConfigMap;
use kb::Manager;
use kb::namespaces::Namespaces;
use kb::objects::conditions;
use kb::serde_json::{self, Value, json};
use kb_envtest::{Environment, Operator, Shared};
use kube::api::{DeleteParams, Patch, PatchParams, PostParams};
use kube::runtime::wait::{await_condition, delete::delete_and_finalize};
use kube::{Api, ResourceExt};
use tokio::time::sleep;

use values::controller::release::start;
use values_api::v1;

/// What the operator is called.
const OPERATOR: &str = "values";

const SAMPLE: &str = include_str!("../config/samples/helm_v1_release.yaml");

/// The control plane that all tests of this file share; none, if there is none to start.
async fn control_plane() -> anyhow::Result<Option<&'static Environment>> {
    static SHARED: Shared = Shared::new();
    let builder = Environment::builder().crds(values_api::crds());
    Ok(SHARED.start(builder).await?)
}

/// The operator in a namespace, and that namespace's Releases and ConfigMaps as the administrator sees them.
struct Place<'e> {
    operator: Operator<'e>,
    releases: Api<v1::Release>,
    config_maps: Api<ConfigMap>,
}

impl<'e> Place<'e> {
    async fn new(environment: &'e Environment, namespace: &str) -> anyhow::Result<Self> {
        let admin = environment.client().await?;
        Ok(Self {
            operator: environment.operator(namespace, "config/rbac").await?,
            releases: Api::namespaced(admin.clone(), namespace),
            config_maps: Api::namespaced(admin, namespace),
        })
    }

    fn manager(&self) -> anyhow::Result<Manager> {
        let watched = Namespaces::single(self.operator.account().namespace());
        let manager = Manager::for_tests(OPERATOR, self.operator.client(), watched)?;
        start(&manager);
        Ok(manager)
    }

    async fn create(&self, release: &v1::Release) -> anyhow::Result<v1::Release> {
        Ok(self
            .releases
            .create(&PostParams::default(), release)
            .await?)
    }

    async fn change(&self, name: &str, change: &Value) -> anyhow::Result<()> {
        let params = PatchParams::default();
        self.releases
            .patch(name, &params, &Patch::Merge(change))
            .await?;
        Ok(())
    }

    /// Waits until a Release is ready, and gives the values that were handed on for it.
    async fn handed_on(&self, name: &str) -> anyhow::Result<Value> {
        let is_ready = await_condition(self.releases.clone(), name, is_ready);
        self.operator
            .until("the Release is ready", is_ready)
            .await??;
        let data = self.config_maps.get(name).await?.data.unwrap_or_default();
        Ok(serde_json::from_str(&data["values.json"])?)
    }
}

fn is_ready(object: Option<&v1::Release>) -> bool {
    object.is_some_and(|object| {
        let status = object.status.clone().unwrap_or_default();
        status.observed_generation == object.metadata.generation
            && conditions::is_true(&status.conditions, "Ready")
    })
}

fn release(name: &str, values: Value) -> anyhow::Result<v1::Release> {
    let spec = json!({"chart": "nginx", "values": values});
    Ok(v1::Release::new(name, serde_json::from_value(spec)?))
}

#[tokio::test]
async fn the_sample_becomes_ready_and_can_be_deleted() -> anyhow::Result<()> {
    let Some(environment) = control_plane().await? else {
        return Ok(());
    };
    let place = Place::new(environment, "values-sample").await?;
    let running = place.manager()?.spawn();

    let sample = place.create(&serde_saphyr::from_str(SAMPLE)?).await?;
    let name = sample.name_any();
    let values = place.handed_on(&name).await?;
    assert_eq!(values, Value::Object(sample.spec.values));
    let delete = DeleteParams::default();
    let gone = delete_and_finalize(place.releases.clone(), &name, &delete);
    place
        .operator
        .until("the sample is deleted", gone)
        .await??;

    running.stop().await?;
    // No call was made that the role does not declare.
    place.operator.check()?;
    Ok(())
}

#[tokio::test]
async fn changed_values_are_handed_on_and_unchanged_ones_are_not_written() -> anyhow::Result<()> {
    let Some(environment) = control_plane().await? else {
        return Ok(());
    };
    let place = Place::new(environment, "values-changed").await?;
    let running = place.manager()?.spawn();

    let first = json!({"replicas": 1, "service": {"ports": [80, 443], "labels": {"tier": "web"}}});
    place.create(&release("web", first.clone())?).await?;
    assert_eq!(place.handed_on("web").await?, first);

    // Null takes away: so it is for a merge patch.
    let change = json!({"spec": {"values": {"replicas": 2, "service": {"labels": null}}}});
    place.change("web", &change).await?;
    let second = json!({"replicas": 2, "service": {"ports": [80, 443]}});
    assert_eq!(place.handed_on("web").await?, second);

    let written = place.config_maps.get("web").await?.resource_version();
    let change = json!({"spec": {"chart": "caddy"}});
    place.change("web", &change).await?;
    assert_eq!(place.handed_on("web").await?, second);
    let now = place.config_maps.get("web").await?.resource_version();
    assert_eq!(now, written, "the ConfigMap was written again");

    running.stop().await?;
    place.operator.check()?;
    Ok(())
}

#[tokio::test]
async fn a_config_map_of_somebody_else_is_left_alone_until_it_is_gone() -> anyhow::Result<()> {
    let Some(environment) = control_plane().await? else {
        return Ok(());
    };
    let place = Place::new(environment, "values-taken").await?;
    let theirs = serde_json::from_value(json!({"metadata": {"name": "web"}, "data": {"k": "v"}}))?;
    let create = PostParams::default();
    let theirs: ConfigMap = place.config_maps.create(&create, &theirs).await?;
    let running = place.manager()?.spawn();

    let values = json!({"replicas": 1});
    place.create(&release("web", values.clone())?).await?;
    let looked = async {
        while !place
            .operator
            .calls()
            .iter()
            .any(|call| call.verb() == "get")
        {
            sleep(Duration::from_millis(20)).await;
        }
    };
    place.operator.until("it sees whose it is", looked).await?;
    assert_eq!(place.config_maps.get("web").await?, theirs);
    assert!(!is_ready(Some(&place.releases.get("web").await?)));

    let delete = DeleteParams::default();
    place.config_maps.delete("web", &delete).await?;
    assert_eq!(place.handed_on("web").await?, values);

    running.stop().await?;
    place.operator.check()?;
    Ok(())
}
