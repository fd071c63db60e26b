// SPDX-License-Identifier: Apache-2.0

//! Where a test takes place: the operator, in a namespace of its own, and what an administrator sees and does there.
//!
//! All tests share one control plane. It runs no pods: tests say themselves how many are ready.

use std::time::Duration;

use k8s_openapi::api::apps::v1::{Deployment, StatefulSet};
use k8s_openapi::api::core::v1::Secret;
use k8s_openapi::api::events::v1::Event;
use kb::Manager;
use kb::manager::RunningManager;
use kb::namespaces::Namespaces;
use kb::serde_json::{Value, json};
use kb::store::CachedResource;
use kb_envtest::{Environment, Operator, Shared};
use kube::api::{ListParams, Patch, PatchParams, PostParams};
use kube::runtime::conditions::{is_created, is_deleted};
use kube::runtime::wait::{Condition, await_condition};
use kube::{Api, ResourceExt};
use tokio::time::sleep;

use cloudmanager::controller::cloud_manager::start;
use cloudmanager_api::v1::{CloudManager, Phase};

/// What the operator is called.
pub const OPERATOR: &str = "cloudmanager";

const SAMPLE: &str =
    include_str!("../../config/samples/cloudmanagercontroller_v1_cloudmanager.yaml");

/// The control plane that all tests share; none, if there is none to start.
pub async fn control_plane() -> anyhow::Result<Option<&'static Environment>> {
    static SHARED: Shared = Shared::new();
    let builder = Environment::builder().crds(cloudmanager_api::crds());
    Ok(SHARED.start(builder).await?)
}

/// The sample under another name. Its parts are called `NAME-front`, `NAME-identity` and `NAME-db`.
pub fn sample(name: &str) -> anyhow::Result<CloudManager> {
    let mut sample: CloudManager = serde_saphyr::from_str(SAMPLE)?;
    sample.metadata.name = Some(name.to_owned());
    sample.spec.front.deployment.name = format!("{name}-front");
    sample.spec.identity.deployment.name = format!("{name}-identity");
    sample.spec.db.stateful_set.name = format!("{name}-db");
    Ok(sample)
}

/// A namespace, with an operator that looks at nothing else.
pub struct Place {
    pub operator: Operator<'static>,
    running: RunningManager,
    pub objects: Api<CloudManager>,
    pub deployments: Api<Deployment>,
    pub stateful_sets: Api<StatefulSet>,
    pub secrets: Api<Secret>,
    events: Api<Event>,
}

impl Place {
    /// Starts the operator, under its own role: config/rbac.
    pub async fn new(namespace: &str) -> anyhow::Result<Option<Self>> {
        let Some(environment) = control_plane().await? else {
            return Ok(None);
        };
        let operator = environment.operator(namespace, "config/rbac").await?;
        let watched = Namespaces::single(namespace);
        let manager = Manager::for_tests(OPERATOR, operator.client(), watched)?;
        start(&manager);
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

    /// Ends the operator, which must have made no call that its role does not declare.
    pub async fn end(self) -> anyhow::Result<()> {
        self.running.stop().await?;
        self.operator.check()?;
        Ok(())
    }

    /// Makes a CloudManager, and waits until the operator waits for its front end.
    ///
    /// Then it has seen earlier changes, too: a test may look that nothing came of them.
    pub async fn make(&self, name: &str) -> anyhow::Result<()> {
        let post = PostParams::default();
        self.objects.create(&post, &sample(name)?).await?;
        self.phase(name, Phase::Front).await
    }

    /// Makes a CloudManager, and says of all of its parts that they are ready.
    pub async fn make_ready(&self, name: &str) -> anyhow::Result<()> {
        self.make(name).await?;
        self.run(&self.deployments, &format!("{name}-front"), 1)
            .await?;
        self.run(&self.deployments, &format!("{name}-identity"), 1)
            .await?;
        self.run(&self.stateful_sets, &format!("{name}-db"), 1)
            .await?;
        self.phase(name, Phase::Ready).await
    }

    /// Waits until the latest spec of a CloudManager is in a phase.
    pub async fn phase(&self, name: &str, phase: Phase) -> anyhow::Result<()> {
        let is_in_phase = |found: Option<&CloudManager>| {
            found.is_some_and(|found| {
                let status = found.status.clone().unwrap_or_default();
                status.observed_generation == found.metadata.generation
                    && status.phase == Some(phase)
            })
        };
        let what = format!("is in the phase {phase:?}");
        self.until(&what, &self.objects, name, is_in_phase).await
    }

    /// Waits for a part, and says that so many of its pods are ready.
    pub async fn run<K: CachedResource>(
        &self,
        api: &Api<K>,
        name: &str,
        ready: i32,
    ) -> anyhow::Result<()> {
        self.until("is made", api, name, is_created()).await?;
        let status = json!({"replicas": ready, "readyReplicas": ready});
        let status = Patch::Merge(json!({ "status": status }));
        let params = PatchParams::default();
        api.patch_status(name, &params, &status).await?;
        Ok(())
    }

    /// Waits until an object is deleted.
    pub async fn gone<K: CachedResource>(&self, api: &Api<K>, object: &K) -> anyhow::Result<()> {
        let uid = object.uid().unwrap_or_default();
        let name = object.name_any();
        self.until("is deleted", api, &name, is_deleted(&uid)).await
    }

    /// The versions of the parts of a CloudManager: each write makes a new one.
    pub async fn versions(&self, name: &str) -> kube::Result<Vec<Option<String>>> {
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

    /// Waits until there are so many events of a reason. Equal ones are counted in one.
    pub async fn events(&self, reason: &str, count: i32) -> anyhow::Result<()> {
        let times = |event: &Event| event.series.as_ref().map_or(1, |series| series.count);
        let told = async {
            loop {
                let events = self.events.list(&ListParams::default()).await?.items;
                let events = events
                    .iter()
                    .filter(|event| event.reason.as_deref() == Some(reason));
                if events.map(times).sum::<i32>() == count {
                    return anyhow::Ok(());
                }
                sleep(Duration::from_millis(50)).await;
            }
        };
        let what = format!("{count} events with the reason {reason}");
        self.operator.until(&what, told).await?
    }

    /// Waits until the operator has made a call.
    pub async fn tried(&self, call: &str) -> anyhow::Result<()> {
        let is_made = || {
            let calls = self.operator.calls();
            calls.iter().any(|made| made.to_string().starts_with(call))
        };
        let tried = async {
            while !is_made() {
                sleep(Duration::from_millis(50)).await;
            }
        };
        self.operator.until(call, tried).await?;
        Ok(())
    }

    async fn until<K: CachedResource>(
        &self,
        what: &str,
        api: &Api<K>,
        name: &str,
        is_so: impl Condition<K>,
    ) -> anyhow::Result<()> {
        let what = format!("{} {name} {what}", K::kind(&()));
        let seen = await_condition(api.clone(), name, is_so);
        self.operator.until(&what, seen).await??;
        Ok(())
    }
}

/// Changes an object as `kubectl patch` does.
pub async fn change<K: CachedResource>(api: &Api<K>, name: &str, change: Value) -> kube::Result<K> {
    let params = PatchParams::default();
    api.patch(name, &params, &Patch::Merge(&change)).await
}
