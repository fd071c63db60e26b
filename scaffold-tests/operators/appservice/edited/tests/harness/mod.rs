// SPDX-License-Identifier: Apache-2.0

//! Test harness: an operator in its own namespace of a shared control plane, and administrator clients for that namespace.
//!
//! The control plane includes kube-controller-manager, which creates pods and collects garbage, but no kubelet: tests mark
//! pods as ready themselves.

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
use kb_envtest::{Environment, Operator, SharedEnvironment};
use kube::api::{ListParams, Patch, PatchParams, PostParams};
use kube::runtime::conditions::is_deleted;
use kube::runtime::wait::await_condition;
use kube::{Api, ResourceExt};
use tokio::time::sleep;

use appservice::controller::app_service::register;
use appservice_api::v1alpha1::{AppService, AppServiceSpec};

/// Name of the operator.
const OPERATOR: &str = "appservice";

/// Name of the AppService under test, its Deployment and its Service.
pub const SHOP: &str = "shop";

/// Returns the control plane shared by all tests, or `None` if it is not installed.
async fn control_plane() -> anyhow::Result<Option<&'static Environment>> {
    static SHARED: SharedEnvironment = SharedEnvironment::new();
    let builder = Environment::builder()
        .crds(appservice_api::crds())
        .controller_manager(true);
    Ok(SHARED.start(builder).await?)
}

/// A running operator and clients for its namespace.
pub struct Harness {
    pub operator: Operator<'static>,
    running: RunningManager,
    pub objects: Api<AppService>,
    pub deployments: Api<Deployment>,
    pub services: Api<Service>,
    events: Api<Event>,
    pods: Api<Pod>,
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
            services: Api::namespaced(admin.clone(), namespace),
            events: Api::namespaced(admin.clone(), namespace),
            pods: Api::namespaced(admin, namespace),
        }))
    }

    /// Stops the operator, and fails if it sent a request that its role does not allow.
    pub async fn stop(self) -> anyhow::Result<()> {
        self.running.stop().await?;
        self.operator.check()?;
        Ok(())
    }

    /// Creates an AppService and waits until it is reconciled, not ready for lack of pods.
    pub async fn create(&self, name: &str, spec: AppServiceSpec) -> anyhow::Result<AppService> {
        let object = AppService::new(name, spec);
        self.objects.create(&PostParams::default(), &object).await?;
        let condition = fields::is_not_ready;
        self.wait_for("is reconciled", &self.objects, name, condition)
            .await
    }

    /// Patches the spec of the AppService.
    pub async fn patch_spec(&self, spec: Value) -> kube::Result<AppService> {
        patch(&self.objects, json!({ "spec": spec })).await
    }

    /// Waits until the AppService meets the condition.
    pub async fn wait_for_shop(
        &self,
        what: &str,
        condition: impl Fn(&AppService) -> bool,
    ) -> anyhow::Result<AppService> {
        self.wait_for(what, &self.objects, SHOP, condition).await
    }

    /// Waits until the Deployment meets the condition.
    pub async fn wait_for_deployment(
        &self,
        what: &str,
        condition: impl Fn(&Deployment) -> bool,
    ) -> anyhow::Result<Deployment> {
        self.wait_for(what, &self.deployments, SHOP, condition)
            .await
    }

    /// Waits until the Service meets the condition.
    pub async fn wait_for_service(
        &self,
        what: &str,
        condition: impl Fn(&Service) -> bool,
    ) -> anyhow::Result<Service> {
        self.wait_for(what, &self.services, SHOP, condition).await
    }

    /// Waits until an object is deleted.
    pub async fn wait_for_deleted<K: CachedResource>(
        &self,
        api: &Api<K>,
        object: &K,
    ) -> anyhow::Result<()> {
        let uid = object.uid().unwrap_or_default();
        let deleted = await_condition(api.clone(), SHOP, is_deleted(&uid));
        self.operator
            .wait_for("the object is deleted", deleted)
            .await??;
        Ok(())
    }

    async fn wait_for<K: CachedResource>(
        &self,
        what: &str,
        api: &Api<K>,
        name: &str,
        condition: impl Fn(&K) -> bool,
    ) -> anyhow::Result<K> {
        let what = format!("{} {name} {what}", K::kind(&()));
        let condition = |object: Option<&K>| object.is_some_and(&condition);
        let met = await_condition(api.clone(), name, condition);
        let object = self.operator.wait_for(&what, met).await??;
        Ok(object.expect("the condition requires an object"))
    }

    /// Waits for a Warning event.
    pub async fn warning(&self) -> anyhow::Result<Event> {
        let is_warning = |event: &Event| event.type_.as_deref() == Some("Warning");
        let has_warning = |events: &[Event]| events.iter().any(is_warning);
        let events = self
            .wait_for_list("a Warning event", &self.events, has_warning)
            .await?;
        let warning = events.into_iter().find(is_warning);
        Ok(warning.expect("the condition requires a Warning event"))
    }

    /// Waits for `count` pods and marks them as ready, like a kubelet.
    pub async fn mark_pods_ready(&self, count: usize) -> anyhow::Result<()> {
        let exist = |pods: &[Pod]| pods.len() == count;
        let pods = self.wait_for_list("pods exist", &self.pods, exist).await?;
        let ready = json!({"status": {"conditions": [{"type": "Ready", "status": "True"}]}});
        let (params, ready) = (PatchParams::default(), Patch::Merge(&ready));
        for pod in pods {
            let name = pod.name_any();
            self.pods.patch_status(&name, &params, &ready).await?;
        }
        Ok(())
    }

    /// Waits until a list meets the condition.
    async fn wait_for_list<K: CachedResource>(
        &self,
        what: &str,
        api: &Api<K>,
        condition: impl Fn(&[K]) -> bool,
    ) -> anyhow::Result<Vec<K>> {
        let listed = async {
            loop {
                let list = api.list(&ListParams::default()).await;
                if !list.as_ref().is_ok_and(|list| !condition(&list.items)) {
                    return list;
                }
                sleep(Duration::from_millis(50)).await;
            }
        };
        let listed = self.operator.wait_for(what, listed).await??;
        Ok(listed.items)
    }
}

/// Merge-patches the AppService, its Deployment or its Service.
pub async fn patch<K: CachedResource>(api: &Api<K>, patch: Value) -> kube::Result<K> {
    let params = PatchParams::default();
    api.patch(SHOP, &params, &Patch::Merge(&patch)).await
}
