// SPDX-License-Identifier: Apache-2.0

//! Integration tests of the Release controller against a real API server.
//!
//! The operator runs with the permissions in config/rbac.

use k8s_openapi::api::core::v1::ConfigMap;
use kb::Manager;
use kb::namespaces::Namespaces;
use kb::objects::conditions;
use kb::serde_json::{self, Value, json};
use kb_envtest::{Environment, Operator, SharedEnvironment};
use kube::api::{DeleteParams, Patch, PatchParams, PostParams};
use kube::runtime::wait::{await_condition, delete::delete_and_finalize};
use kube::{Api, ResourceExt};

use values::controller::release::register;
use values_api::v1;

/// Name of the operator.
const OPERATOR: &str = "values";

const SAMPLE: &str = include_str!("../config/samples/helm_v1_release.yaml");

/// Returns the control plane shared by all tests in this file, or `None` if it is not installed.
async fn control_plane() -> anyhow::Result<Option<&'static Environment>> {
    static SHARED: SharedEnvironment = SharedEnvironment::new();
    let builder = Environment::builder().crds(values_api::crds());
    Ok(SHARED.start(builder).await?)
}

/// An operator and administrator clients for its namespace.
struct Harness<'e> {
    operator: Operator<'e>,
    releases: Api<v1::Release>,
    config_maps: Api<ConfigMap>,
}

impl<'e> Harness<'e> {
    async fn new(environment: &'e Environment, namespace: &str) -> anyhow::Result<Self> {
        let admin = environment.client().await?;
        Ok(Self {
            operator: environment.operator(namespace, "config/rbac").await?,
            releases: Api::namespaced(admin.clone(), namespace),
            config_maps: Api::namespaced(admin, namespace),
        })
    }

    fn manager(&self) -> anyhow::Result<Manager> {
        let namespaces = Namespaces::single(self.operator.account().namespace());
        let manager = Manager::for_tests(OPERATOR, self.operator.client(), namespaces)?;
        register(&manager);
        Ok(manager)
    }

    async fn create(&self, release: &v1::Release) -> anyhow::Result<v1::Release> {
        Ok(self
            .releases
            .create(&PostParams::default(), release)
            .await?)
    }

    async fn patch(&self, name: &str, patch: &Value) -> anyhow::Result<()> {
        let params = PatchParams::default();
        self.releases
            .patch(name, &params, &Patch::Merge(patch))
            .await?;
        Ok(())
    }

    /// Waits until a Release is ready, and returns the values in its ConfigMap.
    async fn applied_values(&self, name: &str) -> anyhow::Result<Value> {
        let is_ready = await_condition(self.releases.clone(), name, is_ready);
        self.operator
            .wait_for("the Release is ready", is_ready)
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

fn has_failed(object: Option<&v1::Release>) -> bool {
    let status = object.and_then(|object| object.status.as_ref());
    let ready = status.and_then(|status| conditions::find(&status.conditions, "Ready"));
    ready.is_some_and(|ready| ready.reason == "ReconcileError")
}

fn release(name: &str, values: Value) -> anyhow::Result<v1::Release> {
    let spec = json!({"chart": "nginx", "values": values});
    Ok(v1::Release::new(name, serde_json::from_value(spec)?))
}

#[tokio::test]
async fn sample_becomes_ready_and_can_be_deleted() -> anyhow::Result<()> {
    let Some(environment) = control_plane().await? else {
        return Ok(());
    };
    let harness = Harness::new(environment, "values-sample").await?;
    let running = harness.manager()?.spawn();

    let sample = harness.create(&serde_saphyr::from_str(SAMPLE)?).await?;
    let name = sample.name_any();
    let values = harness.applied_values(&name).await?;
    assert_eq!(values, Value::Object(sample.spec.values));
    let delete = DeleteParams::default();
    let deleted = delete_and_finalize(harness.releases.clone(), &name, &delete);
    harness
        .operator
        .wait_for("the sample is deleted", deleted)
        .await??;

    running.stop().await?;
    // Fails if the operator sent a request that its role does not allow.
    harness.operator.check()?;
    Ok(())
}

#[tokio::test]
async fn writes_the_config_map_only_if_values_change() -> anyhow::Result<()> {
    let Some(environment) = control_plane().await? else {
        return Ok(());
    };
    let harness = Harness::new(environment, "values-changed").await?;
    let running = harness.manager()?.spawn();

    let first = json!({"replicas": 1, "service": {"ports": [80, 443], "labels": {"tier": "web"}}});
    harness.create(&release("web", first.clone())?).await?;
    assert_eq!(harness.applied_values("web").await?, first);

    // In a merge patch, null removes a field.
    let change = json!({"spec": {"values": {"replicas": 2, "service": {"labels": null}}}});
    harness.patch("web", &change).await?;
    let second = json!({"replicas": 2, "service": {"ports": [80, 443]}});
    assert_eq!(harness.applied_values("web").await?, second);

    let before = harness.config_maps.get("web").await?.resource_version();
    let change = json!({"spec": {"chart": "caddy"}});
    harness.patch("web", &change).await?;
    assert_eq!(harness.applied_values("web").await?, second);
    let after = harness.config_maps.get("web").await?.resource_version();
    assert_eq!(after, before, "the ConfigMap was written again");

    running.stop().await?;
    harness.operator.check()?;
    Ok(())
}

#[tokio::test]
async fn does_not_take_over_an_unowned_config_map() -> anyhow::Result<()> {
    let Some(environment) = control_plane().await? else {
        return Ok(());
    };
    let harness = Harness::new(environment, "values-taken").await?;
    let theirs = serde_json::from_value(json!({"metadata": {"name": "web"}, "data": {"k": "v"}}))?;
    let create = PostParams::default();
    let theirs: ConfigMap = harness.config_maps.create(&create, &theirs).await?;
    let running = harness.manager()?.spawn();

    let values = json!({"replicas": 1});
    harness.create(&release("web", values.clone())?).await?;
    let reported = await_condition(harness.releases.clone(), "web", has_failed);
    harness
        .operator
        .wait_for("the error is reported", reported)
        .await??;
    assert_eq!(harness.config_maps.get("web").await?, theirs);

    let delete = DeleteParams::default();
    harness.config_maps.delete("web", &delete).await?;
    assert_eq!(harness.applied_values("web").await?, values);

    running.stop().await?;
    harness.operator.check()?;
    Ok(())
}
