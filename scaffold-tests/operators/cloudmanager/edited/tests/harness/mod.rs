// SPDX-License-Identifier: Apache-2.0

//! Test harness: an operator in its own namespace of a shared control plane, and administrator clients for that namespace.
//!
//! The control plane runs no pods: tests set the number of ready replicas themselves.

use std::time::Duration;

use k8s_openapi::api::apps::v1::{Deployment, StatefulSet};
use k8s_openapi::api::core::v1::Secret;
use k8s_openapi::api::events::v1::Event;
use kb::Manager;
use kb::manager::RunningManager;
use kb::namespaces::Namespaces;
use kb::serde_json::{Value, json};
use kb::store::CachedResource;
use kb_envtest::{Environment, Operator, SharedEnvironment};
use kube::api::{ListParams, Patch, PatchParams, PostParams};
use kube::runtime::conditions::{is_created, is_deleted};
use kube::runtime::wait::{Condition, await_condition};
use kube::{Api, ResourceExt};
use tokio::time::sleep;

use cloudmanager::controller::cloud_manager::register;
use cloudmanager_api::v1::{CloudManager, Phase};

/// Name of the operator.
pub const OPERATOR: &str = "cloudmanager";

const SAMPLE: &str =
    include_str!("../../config/samples/cloudmanagercontroller_v1_cloudmanager.yaml");

/// Returns the control plane shared by all tests, or `None` if it is not installed.
pub async fn control_plane() -> anyhow::Result<Option<&'static Environment>> {
    static SHARED: SharedEnvironment = SharedEnvironment::new();
    let builder = Environment::builder().crds(cloudmanager_api::crds());
    Ok(SHARED.start(builder).await?)
}

/// Returns the sample under another name, with the components `NAME-front`, `NAME-identity` and `NAME-db`.
pub fn sample(name: &str) -> anyhow::Result<CloudManager> {
    let mut sample: CloudManager = serde_saphyr::from_str(SAMPLE)?;
    sample.metadata.name = Some(name.to_owned());
    sample.spec.front.deployment.name = format!("{name}-front");
    sample.spec.identity.deployment.name = format!("{name}-identity");
    sample.spec.db.stateful_set.name = format!("{name}-db");
    Ok(sample)
}

/// A running operator and clients for its namespace.
pub struct Harness {
    pub operator: Operator<'static>,
    running: RunningManager,
    pub objects: Api<CloudManager>,
    pub deployments: Api<Deployment>,
    pub stateful_sets: Api<StatefulSet>,
    pub secrets: Api<Secret>,
    events: Api<Event>,
}

impl Harness {
    /// Starts the operator with the permissions in config/rbac. Returns `None` if the control plane is not installed.
    pub async fn new(namespace: &str) -> anyhow::Result<Option<Self>> {
        let Some(environment) = control_plane().await? else {
            return Ok(None);
        };
        let operator = environment.operator(namespace, "config/rbac").await?;
        let namespaces = Namespaces::single(namespace);
        let manager = Manager::for_tests(OPERATOR, operator.client(), namespaces)?;
        register(&manager);
        let admin = environment.client().await?;
        Ok(Some(Self {
            operator,
            running: manager.spawn(),
            objects: Api::namespaced(admin.clone(), namespace),
            deployments: Api::namespaced(admin.clone(), namespace),
            stateful_sets: Api::namespaced(admin.clone(), namespace),
            secrets: Api::namespaced(admin.clone(), namespace),
            events: Api::namespaced(admin, namespace),
        }))
    }

    /// Stops the operator, and fails if it sent a request that its role does not allow.
    pub async fn stop(self) -> anyhow::Result<()> {
        self.running.stop().await?;
        self.operator.check()?;
        Ok(())
    }

    /// Creates a CloudManager and waits until the operator waits for its front end.
    ///
    /// Changes arrive in order, so the operator has then also handled all earlier ones.
    pub async fn create(&self, name: &str) -> anyhow::Result<()> {
        let post = PostParams::default();
        self.objects.create(&post, &sample(name)?).await?;
        self.wait_for_phase(name, Phase::Front).await
    }

    /// Creates a CloudManager and marks all of its components as ready.
    pub async fn create_ready(&self, name: &str) -> anyhow::Result<()> {
        self.create(name).await?;
        self.set_ready_replicas(&self.deployments, &format!("{name}-front"), 1)
            .await?;
        self.set_ready_replicas(&self.deployments, &format!("{name}-identity"), 1)
            .await?;
        self.set_ready_replicas(&self.stateful_sets, &format!("{name}-db"), 1)
            .await?;
        self.wait_for_phase(name, Phase::Ready).await
    }

    /// Waits until the latest spec of a CloudManager is in a phase.
    pub async fn wait_for_phase(&self, name: &str, phase: Phase) -> anyhow::Result<()> {
        let is_in_phase = |object: Option<&CloudManager>| {
            object.is_some_and(|object| {
                let status = object.status.clone().unwrap_or_default();
                status.observed_generation == object.metadata.generation
                    && status.phase == Some(phase)
            })
        };
        let what = format!("is in the phase {phase:?}");
        self.wait_for(&what, &self.objects, name, is_in_phase).await
    }

    /// Waits for a component and sets its number of ready replicas.
    pub async fn set_ready_replicas<K: CachedResource>(
        &self,
        api: &Api<K>,
        name: &str,
        ready: i32,
    ) -> anyhow::Result<()> {
        self.wait_for("is created", api, name, is_created()).await?;
        let status = json!({"replicas": ready, "readyReplicas": ready});
        let status = Patch::Merge(json!({ "status": status }));
        let params = PatchParams::default();
        api.patch_status(name, &params, &status).await?;
        Ok(())
    }

    /// Waits until an object is deleted.
    pub async fn wait_for_deleted<K: CachedResource>(
        &self,
        api: &Api<K>,
        object: &K,
    ) -> anyhow::Result<()> {
        let uid = object.uid().unwrap_or_default();
        let name = object.name_any();
        self.wait_for("is deleted", api, &name, is_deleted(&uid))
            .await
    }

    /// Returns the resource versions of the components, which change with every write.
    pub async fn resource_versions(&self, name: &str) -> kube::Result<Vec<Option<String>>> {
        let front = self.deployments.get(&format!("{name}-front")).await?;
        let identity = self.deployments.get(&format!("{name}-identity")).await?;
        let secret = self.secrets.get(&format!("{name}-db")).await?;
        let database = self.stateful_sets.get(&format!("{name}-db")).await?;
        Ok(vec![
            front.resource_version(),
            identity.resource_version(),
            secret.resource_version(),
            database.resource_version(),
        ])
    }

    /// Waits until `count` events with this reason have occurred. Repeated events are aggregated into one.
    pub async fn wait_for_event_count(&self, reason: &str, count: i32) -> anyhow::Result<()> {
        let occurrences = |event: &Event| event.series.as_ref().map_or(1, |series| series.count);
        let reached = async {
            loop {
                let events = self.events.list(&ListParams::default()).await?.items;
                let events = events
                    .iter()
                    .filter(|event| event.reason.as_deref() == Some(reason));
                if events.map(occurrences).sum::<i32>() == count {
                    return anyhow::Ok(());
                }
                sleep(Duration::from_millis(50)).await;
            }
        };
        let what = format!("{count} events with the reason {reason}");
        self.operator.wait_for(&what, reached).await?
    }

    /// Waits until the operator has sent a request.
    pub async fn wait_for_called(&self, call: &str) -> anyhow::Result<()> {
        let is_called = || {
            let calls = self.operator.calls();
            calls.iter().any(|sent| sent.to_string().starts_with(call))
        };
        let called = async {
            while !is_called() {
                sleep(Duration::from_millis(50)).await;
            }
        };
        self.operator.wait_for(call, called).await?;
        Ok(())
    }

    async fn wait_for<K: CachedResource>(
        &self,
        what: &str,
        api: &Api<K>,
        name: &str,
        condition: impl Condition<K>,
    ) -> anyhow::Result<()> {
        let what = format!("{} {name} {what}", K::kind(&()));
        let met = await_condition(api.clone(), name, condition);
        self.operator.wait_for(&what, met).await??;
        Ok(())
    }
}

/// Merge-patches an object.
pub async fn patch<K: CachedResource>(api: &Api<K>, name: &str, patch: Value) -> kube::Result<K> {
    let params = PatchParams::default();
    api.patch(name, &params, &Patch::Merge(&patch)).await
}
