// SPDX-License-Identifier: Apache-2.0

//! A namespace in which the operator works, on a control plane that all tests share.

use std::time::Duration;

use anyhow::Context;
use k8s_openapi::api::apps::v1::Deployment;
use k8s_openapi::api::core::v1::Service;
use k8s_openapi::api::events::v1::Event;
use kb::Manager;
use kb::manager::RunningManager;
use kb::metrics::Metrics;
use kb::namespaces::Namespaces;
use kb::serde_json::{self, Value, json};
use kb::store::CachedResource;
use kb_envtest::{Environment, Operator, Shared};
use kube::Api;
use kube::api::{ListParams, Patch, PatchParams, PostParams};
use kube::runtime::wait::await_condition;
use tokio::time::sleep;

use app::controller::app::start;
use app_api::v1::App;

/// What the operator is called.
const OPERATOR: &str = "app";

/// How long to wait before looking again.
const GLANCE: Duration = Duration::from_millis(50);

/// The control plane that all tests share; none, if there is none to start.
async fn control_plane() -> anyhow::Result<Option<&'static Environment>> {
    static SHARED: Shared = Shared::new();
    let builder = Environment::builder().crds(app_api::crds());
    Ok(SHARED.start(builder).await?)
}

/// A namespace in which the operator works.
pub struct Place {
    pub operator: Operator<'static>,
    running: RunningManager,
    metrics: Metrics,
    pub apps: Api<App>,
    pub deployments: Api<Deployment>,
    pub services: Api<Service>,
    events: Api<Event>,
}

impl Place {
    /// Starts the operator in a namespace of its own; none, if there is no control plane.
    pub async fn new(namespace: &str) -> anyhow::Result<Option<Self>> {
        Self::watching(namespace, namespace).await
    }

    /// Starts the operator in one namespace, for the objects in another.
    pub async fn watching(own: &str, namespace: &str) -> anyhow::Result<Option<Self>> {
        let Some(environment) = control_plane().await? else {
            return Ok(None);
        };
        // It may do what its manifests say, and nothing else.
        let operator = environment.operator(own, "config/rbac").await?;
        let watched = Namespaces::single(namespace);
        let manager = Manager::for_tests(OPERATOR, operator.client(), watched)?;
        start(&manager);
        let admin = environment.client().await?;
        Ok(Some(Self {
            metrics: manager.metrics().clone(),
            running: manager.spawn(),
            operator,
            apps: Api::namespaced(admin.clone(), namespace),
            deployments: Api::namespaced(admin.clone(), namespace),
            services: Api::namespaced(admin.clone(), namespace),
            events: Api::namespaced(admin, namespace),
        }))
    }

    /// Makes an App whose Deployment and Service have these names.
    pub async fn app(&self, name: &str, deployment: &str, service: &str) -> anyhow::Result<App> {
        let app = serde_json::from_value(json!({
            "metadata": {"name": name},
            "spec": {
                "deployment": {"name": deployment, "image": "nginx:1", "replicas": 2},
                "service": {"name": service},
            },
        }))?;
        Ok(self.apps.create(&PostParams::default(), &app).await?)
    }

    /// Waits until an object is as it should be.
    pub async fn until<K: CachedResource>(
        &self,
        api: &Api<K>,
        name: &str,
        is_so: impl Fn(&K) -> bool,
    ) -> anyhow::Result<K> {
        let is_so = |object: Option<&K>| object.is_some_and(&is_so);
        let what = format!("{} {name} is as it should be", K::kind(&()));
        let reached = await_condition(api.clone(), name, is_so);
        self.operator.until(&what, reached).await??.context(what)
    }

    /// Waits until an event of this reason was told so often. An event that is repeated is one event, with a count.
    pub async fn told(&self, reason: &str, times: i32) -> anyhow::Result<Event> {
        let what = format!("{reason} is told {times} times");
        let of_reason = ListParams::default().fields(&format!("reason={reason}"));
        let told = async {
            loop {
                let mut events = self.events.list(&of_reason).await?.into_iter();
                if let Some(event) = events.find(|event| count(event) >= times) {
                    return Ok(event);
                }
                sleep(GLANCE).await;
            }
        };
        self.operator.until(&what, told).await?
    }

    /// Waits until a metric of the operator shows at least this.
    pub async fn counted(&self, series: &str, least: u64) -> anyhow::Result<()> {
        let what = format!("{series} is {least}");
        let counted = async {
            while self.metric(series)? < least {
                sleep(GLANCE).await;
            }
            Ok(())
        };
        self.operator.until(&what, counted).await?
    }

    /// What a metric of the operator shows.
    pub fn metric(&self, series: &str) -> anyhow::Result<u64> {
        let metrics = self.metrics.render()?;
        let mut values = metrics.lines().filter_map(|line| line.strip_prefix(series));
        Ok(values.next().context("a metric")?.trim().parse()?)
    }

    /// Stops the operator. It has made no call that its role does not declare.
    pub async fn end(self) -> anyhow::Result<()> {
        self.running.stop().await?;
        self.operator.check()?;
        Ok(())
    }
}

/// Changes an object, as `kubectl patch --type merge` does.
pub async fn change<K: CachedResource>(api: &Api<K>, name: &str, change: Value) -> kube::Result<K> {
    let params = PatchParams::default();
    api.patch(name, &params, &Patch::Merge(change)).await
}

/// How often an event was told.
fn count(event: &Event) -> i32 {
    event.series.as_ref().map_or(1, |series| series.count)
}

/// A Deployment that no App has asked for.
pub fn foreign_deployment(name: &str) -> serde_json::Result<Deployment> {
    serde_json::from_value(json!({
        "metadata": {"name": name},
        "spec": {
            "selector": {"matchLabels": {"app": "theirs"}},
            "template": {
                "metadata": {"labels": {"app": "theirs"}},
                "spec": {"containers": [{"name": "theirs", "image": "theirs:1"}]},
            },
        },
    }))
}

/// A Service that no App has asked for.
pub fn foreign_service(name: &str) -> serde_json::Result<Service> {
    serde_json::from_value(json!({
        "metadata": {"name": name},
        "spec": {"selector": {"app": "theirs"}, "ports": [{"port": 8080}]},
    }))
}
