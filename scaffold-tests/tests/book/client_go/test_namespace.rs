//! Namespace of a test on a shared control plane.

use std::time::Duration;

use kb::k8s_openapi::api::core::v1::ConfigMap;
use kb_envtest::{Environment, SharedEnvironment};
use kube::{
    Api, Client,
    api::{DeleteParams, PostParams},
};
use serde_json::json;
use tokio::time::timeout;

pub(super) struct TestNamespace {
    pub client: Client,
    pub namespace: &'static str,
}

impl TestNamespace {
    /// Creates a namespace. Returns `None` and reports a skipped test if there is no control plane.
    pub(super) async fn new(namespace: &'static str) -> Option<Self> {
        static SHARED: SharedEnvironment = SharedEnvironment::new();
        let environment = SHARED.start(Environment::builder()).await.unwrap()?;
        let object =
            json!({"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": namespace}});
        environment.apply([object]).await.unwrap();
        let client = environment.client().await.unwrap();
        Some(Self { client, namespace })
    }

    pub(super) fn config_maps(&self) -> Api<ConfigMap> {
        Api::namespaced(self.client.clone(), self.namespace)
    }

    /// Creates a `ConfigMap` with the label `app`.
    pub(super) async fn create(&self, name: &str, app: &str) -> ConfigMap {
        let object = json!({"metadata": {"name": name, "labels": {"app": app}}});
        let object = serde_json::from_value(object).unwrap();
        let (api, params) = (self.config_maps(), PostParams::default());
        api.create(&params, &object).await.unwrap()
    }

    pub(super) async fn delete(&self, name: &str) {
        let (api, params) = (self.config_maps(), DeleteParams::default());
        api.delete(name, &params).await.unwrap();
    }
}

/// Fails after 30 seconds.
pub(super) async fn within_30s<F: Future>(future: F) -> F::Output {
    let result = timeout(Duration::from_secs(30), future).await;
    result.expect("timed out")
}
