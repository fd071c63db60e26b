//! Where the snippets run: a namespace each, on a control plane that all share.

use std::time::Duration;

use kb::k8s_openapi::api::core::v1::ConfigMap;
use kb_envtest::{Environment, Shared};
use kube::{
    Api, Client,
    api::{DeleteParams, PostParams},
};
use serde_json::json;
use tokio::time::timeout;

pub(super) struct Place {
    pub client: Client,
    pub namespace: &'static str,
}

impl Place {
    /// A new namespace; none, said aloud, if there is no control plane.
    pub(super) async fn new(namespace: &'static str) -> Option<Self> {
        static SHARED: Shared = Shared::new();
        let environment = SHARED.start(Environment::builder()).await.unwrap()?;
        let made =
            json!({"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": namespace}});
        environment.apply([made]).await.unwrap();
        let client = environment.client().await.unwrap();
        Some(Self { client, namespace })
    }

    pub(super) fn config_maps(&self) -> Api<ConfigMap> {
        Api::namespaced(self.client.clone(), self.namespace)
    }

    /// Makes a `ConfigMap` with the label `app`.
    pub(super) async fn make(&self, name: &str, app: &str) -> ConfigMap {
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

/// What comes within a while.
pub(super) async fn soon<F: Future>(future: F) -> F::Output {
    let waited = timeout(Duration::from_secs(30), future).await;
    waited.expect("within 30 seconds")
}
