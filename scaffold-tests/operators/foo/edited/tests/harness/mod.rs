// SPDX-License-Identifier: Apache-2.0

//! Test harness: an operator in its own namespace of a shared control plane.

use std::time::Duration;

use anyhow::Context;
use k8s_openapi::api::apps::v1::Deployment;
use k8s_openapi::api::events::v1::Event;
use kb::Manager;
use kb::manager::RunningManager;
use kb::metrics::Metrics;
use kb::namespaces::Namespaces;
use kb::serde_json::{self, Value, json};
use kb::store::CachedResource;
use kb_envtest::{Environment, Operator, SharedEnvironment};
use kube::Api;
use kube::api::{ListParams, Patch, PatchParams, PostParams};
use kube::runtime::wait::await_condition;
use tokio::time::sleep;

use foo::controller::foo::register;
use foo_api::v1alpha1::{Foo, FooSpec};

/// Name of the operator.
const OPERATOR: &str = "foo";

/// Poll interval of wait loops.
const POLL_INTERVAL: Duration = Duration::from_millis(50);

/// Returns the control plane shared by all tests, or `None` if it is not installed.
pub async fn control_plane() -> anyhow::Result<Option<&'static Environment>> {
    static SHARED: SharedEnvironment = SharedEnvironment::new();
    let builder = Environment::builder().crds(foo_api::crds());
    Ok(SHARED.start(builder).await?)
}

/// A running operator and clients for its namespace.
pub struct Harness {
    pub operator: Operator<'static>,
    running: RunningManager,
    metrics: Metrics,
    pub foos: Api<Foo>,
    pub deployments: Api<Deployment>,
    events: Api<Event>,
}

impl Harness {
    /// Starts the operator in its own namespace. Returns `None` if the control plane is not installed.
    pub async fn new(namespace: &str) -> anyhow::Result<Option<Self>> {
        Self::watching(namespace, namespace).await
    }

    /// Starts the operator in the namespace `own`, watching `namespace`.
    pub async fn watching(own: &str, namespace: &str) -> anyhow::Result<Option<Self>> {
        let Some(environment) = control_plane().await? else {
            return Ok(None);
        };
        // Limits the client to the permissions in these manifests.
        let operator = environment.operator(own, "config/rbac").await?;
        let namespaces = Namespaces::single(namespace);
        let manager = Manager::for_tests(OPERATOR, operator.client(), namespaces)?;
        register(&manager);
        let admin = environment.client().await?;
        Ok(Some(Self {
            metrics: manager.metrics().clone(),
            running: manager.spawn(),
            operator,
            foos: Api::namespaced(admin.clone(), namespace),
            deployments: Api::namespaced(admin.clone(), namespace),
            events: Api::namespaced(admin, namespace),
        }))
    }

    /// Creates a Foo with this Deployment name.
    pub async fn create_foo(
        &self,
        name: &str,
        deployment: &str,
        replicas: Option<i32>,
    ) -> kube::Result<Foo> {
        let spec = FooSpec {
            deployment_name: deployment.to_owned(),
            replicas,
        };
        let object = Foo::new(name, spec);
        self.foos.create(&PostParams::default(), &object).await
    }

    /// Waits until an object meets the condition.
    pub async fn wait_for<K: CachedResource>(
        &self,
        api: &Api<K>,
        name: &str,
        condition: impl Fn(&K) -> bool,
    ) -> anyhow::Result<K> {
        let condition = |object: Option<&K>| object.is_some_and(&condition);
        let what = format!("{} {name} meets the condition", K::kind(&()));
        let reached = await_condition(api.clone(), name, condition);
        self.operator.wait_for(&what, reached).await??.context(what)
    }

    /// Lists the events about a Foo with this reason. Repeated events are aggregated into one.
    pub async fn events(&self, about: &str, reason: &str) -> kube::Result<Vec<Event>> {
        let fields = format!("regarding.name={about},reason={reason}");
        let events = ListParams::default().fields(&fields);
        Ok(self.events.list(&events).await?.items)
    }

    /// Waits until an event about a Foo has occurred `count` times.
    pub async fn wait_for_event(
        &self,
        about: &str,
        reason: &str,
        count: i32,
    ) -> anyhow::Result<Event> {
        let what = format!("{count} events with the reason {reason} about {about}");
        let event = async {
            loop {
                let mut events = self.events(about, reason).await?.into_iter();
                if let Some(event) = events.find(|event| occurrences(event) >= count) {
                    return Ok(event);
                }
                sleep(POLL_INTERVAL).await;
            }
        };
        self.operator.wait_for(&what, event).await?
    }

    /// Waits until a metric of the operator reaches `minimum`.
    pub async fn wait_for_metric(&self, series: &str, minimum: u64) -> anyhow::Result<()> {
        let what = format!("{series} reaches {minimum}");
        let reached = async {
            while self.metric(series)? < minimum {
                sleep(POLL_INTERVAL).await;
            }
            Ok(())
        };
        self.operator.wait_for(&what, reached).await?
    }

    /// Returns the value of a metric of the operator.
    pub fn metric(&self, series: &str) -> anyhow::Result<u64> {
        let metrics = self.metrics.render()?;
        let mut values = metrics.lines().filter_map(|line| line.strip_prefix(series));
        Ok(values.next().context("metric not found")?.trim().parse()?)
    }

    /// Stops the operator, and fails if it sent a request that its role does not allow.
    pub async fn stop(self) -> anyhow::Result<()> {
        self.running.stop().await?;
        self.operator.check()?;
        Ok(())
    }
}

/// Returns how often an event occurred.
fn occurrences(event: &Event) -> i32 {
    event.series.as_ref().map_or(1, |series| series.count)
}

/// Merge-patches an object.
pub async fn patch<K: CachedResource>(api: &Api<K>, name: &str, patch: Value) -> kube::Result<K> {
    let params = PatchParams::default();
    api.patch(name, &params, &Patch::Merge(patch)).await
}

/// Returns the desired replicas of a Deployment.
pub fn replicas(deployment: &Deployment) -> Option<i32> {
    deployment.spec.as_ref()?.replicas
}

/// Returns a Deployment that no Foo owns.
pub fn unowned_deployment(name: &str) -> serde_json::Result<Deployment> {
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
