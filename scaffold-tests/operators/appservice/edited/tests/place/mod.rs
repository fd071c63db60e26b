// SPDX-License-Identifier: Apache-2.0

//! Where a test takes place: the operator, in a namespace of its own, and what an administrator sees and does there.
//!
//! All tests share one control plane. kube-controller-manager makes the pods of Deployments and deletes what has lost its owner.
//! There is no kubelet: tests say themselves that pods are ready.

pub mod fields;

use std::time::Duration;

use k8s_openapi::api::apps::v1::Deployment;
use k8s_openapi::api::core::v1::{Pod, Service};
use k8s_openapi::api::events::v1::Event;
use kb::Manager;
use kb::manager::RunningManager;
use kb::namespaces::Namespaces;
use kb::serde_json::{Value, json};
use kb::store::CachedResource;
use kb_envtest::{Environment, Operator, Shared};
use kube::api::{ListParams, Patch, PatchParams, PostParams};
use kube::runtime::conditions::is_deleted;
use kube::runtime::wait::await_condition;
use kube::{Api, ResourceExt};
use tokio::time::sleep;

use appservice::controller::app_service::start;
use appservice_api::v1alpha1::{AppService, AppServiceSpec};

/// What the operator is called.
const OPERATOR: &str = "appservice";

/// The AppService that a test is about, with its Deployment and its Service.
pub const SHOP: &str = "shop";

/// The control plane that all tests share; none, if there is none to start.
async fn control_plane() -> anyhow::Result<Option<&'static Environment>> {
    static SHARED: Shared = Shared::new();
    let builder = Environment::builder()
        .crds(appservice_api::crds())
        .controller_manager(true);
    Ok(SHARED.start(builder).await?)
}

/// A namespace, with an operator that looks at nothing else.
pub struct Place {
    pub operator: Operator<'static>,
    running: RunningManager,
    pub objects: Api<AppService>,
    pub deployments: Api<Deployment>,
    pub services: Api<Service>,
    events: Api<Event>,
    pods: Api<Pod>,
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
            services: Api::namespaced(admin.clone(), namespace),
            events: Api::namespaced(admin.clone(), namespace),
            pods: Api::namespaced(admin, namespace),
        }))
    }

    /// Ends the operator, which must have made no call that its role does not declare.
    pub async fn end(self) -> anyhow::Result<()> {
        self.running.stop().await?;
        self.operator.check()?;
        Ok(())
    }

    /// Makes an AppService, and waits until the operator has done all that can be done without pods.
    pub async fn make(&self, name: &str, spec: AppServiceSpec) -> anyhow::Result<AppService> {
        let object = AppService::new(name, spec);
        self.objects.create(&PostParams::default(), &object).await?;
        let is_made = fields::is_not_ready;
        self.until("is made", &self.objects, name, is_made).await
    }

    /// Changes the spec of the shop.
    pub async fn ask(&self, spec: Value) -> kube::Result<AppService> {
        change(&self.objects, json!({ "spec": spec })).await
    }

    /// Waits until the shop is as it is to be.
    pub async fn shop(
        &self,
        what: &str,
        is_so: impl Fn(&AppService) -> bool,
    ) -> anyhow::Result<AppService> {
        self.until(what, &self.objects, SHOP, is_so).await
    }

    /// Waits until the Deployment of the shop is as it is to be.
    pub async fn deployment(
        &self,
        what: &str,
        is_so: impl Fn(&Deployment) -> bool,
    ) -> anyhow::Result<Deployment> {
        self.until(what, &self.deployments, SHOP, is_so).await
    }

    /// Waits until the Service of the shop is as it is to be.
    pub async fn service(
        &self,
        what: &str,
        is_so: impl Fn(&Service) -> bool,
    ) -> anyhow::Result<Service> {
        self.until(what, &self.services, SHOP, is_so).await
    }

    /// Waits until something of the shop is deleted.
    pub async fn gone<K: CachedResource>(&self, api: &Api<K>, object: &K) -> anyhow::Result<()> {
        let uid = object.uid().unwrap_or_default();
        let gone = await_condition(api.clone(), SHOP, is_deleted(&uid));
        self.operator.until("it is deleted", gone).await??;
        Ok(())
    }

    async fn until<K: CachedResource>(
        &self,
        what: &str,
        api: &Api<K>,
        name: &str,
        is_so: impl Fn(&K) -> bool,
    ) -> anyhow::Result<K> {
        let what = format!("{} {name} {what}", K::kind(&()));
        let is_so = |found: Option<&K>| found.is_some_and(&is_so);
        let seen = await_condition(api.clone(), name, is_so);
        let seen = self.operator.until(&what, seen).await??;
        Ok(seen.expect("only an object can be as it is to be"))
    }

    /// Waits for an event that warns, and gives what it says.
    pub async fn warning(&self) -> anyhow::Result<String> {
        let warns = |event: &Event| event.type_.as_deref() == Some("Warning");
        let is_told = |events: &[Event]| events.iter().any(warns);
        let events = self.list("an event warns", &self.events, is_told).await?;
        let warning = events.into_iter().find(warns);
        Ok(warning.and_then(|event| event.note).unwrap_or_default())
    }

    /// Waits for so many pods, and does what a kubelet does when they run well.
    pub async fn run_pods(&self, count: usize) -> anyhow::Result<()> {
        let are_there = |pods: &[Pod]| pods.len() == count;
        let pods = self.list("there are pods", &self.pods, are_there).await?;
        let ready = json!({"status": {"conditions": [{"type": "Ready", "status": "True"}]}});
        let (params, ready) = (PatchParams::default(), Patch::Merge(&ready));
        for pod in pods {
            let name = pod.name_any();
            self.pods.patch_status(&name, &params, &ready).await?;
        }
        Ok(())
    }

    /// Waits until what is listed is as it is to be.
    async fn list<K: CachedResource>(
        &self,
        what: &str,
        api: &Api<K>,
        is_so: impl Fn(&[K]) -> bool,
    ) -> anyhow::Result<Vec<K>> {
        let listed = async {
            loop {
                let found = api.list(&ListParams::default()).await;
                if !found.as_ref().is_ok_and(|found| !is_so(&found.items)) {
                    return found;
                }
                sleep(Duration::from_millis(50)).await;
            }
        };
        let listed = self.operator.until(what, listed).await??;
        Ok(listed.items)
    }
}

/// Changes the shop, or something of it, as `kubectl patch` does.
pub async fn change<K: CachedResource>(api: &Api<K>, change: Value) -> kube::Result<K> {
    let params = PatchParams::default();
    api.patch(SHOP, &params, &Patch::Merge(&change)).await
}
