//! A namespace per test on the shared control plane.

use std::{thread, time::Duration};

use kb::store::{CachedResource, Config, Store};
use kb_envtest::{Environment, ServiceAccount, SharedEnvironment};
use kube::{Api, Client};
use serde_json::{Value, json};
use tokio::time::{Instant, sleep};

use crate::{request_recorder::RequestRecorder, shop::Shop};

/// Field manager of the operators under test.
pub(crate) const OPERATOR: &str = "shop-operator";

static SHARED: SharedEnvironment = SharedEnvironment::new();

/// A namespace, and a client of an administrator.
pub(crate) struct TestNamespace {
    pub environment: &'static Environment,
    pub namespace: String,
    pub admin: Client,
}

impl TestNamespace {
    /// Creates a namespace; none if there is no control plane.
    pub(crate) async fn new(namespace: &str) -> Option<Self> {
        let builder = Environment::builder().crds([Shop::crd()]);
        let started = SHARED.start(builder).await;
        let environment = started.unwrap_or_else(|error| panic!("{error}"))?;
        let test = Self {
            environment,
            namespace: namespace.to_owned(),
            admin: environment.client().await.unwrap(),
        };
        test.create_namespace(namespace).await;
        Some(test)
    }

    pub(crate) async fn create_namespace(&self, name: &str) {
        let namespace =
            json!({"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": name}});
        self.environment.apply([namespace]).await.unwrap();
    }

    /// Returns the API of a kind in the namespace, as the administrator.
    pub(crate) fn api<K: CachedResource<Scope = kb::k8s_openapi::NamespaceResourceScope>>(
        &self,
    ) -> Api<K> {
        Api::namespaced(self.admin.clone(), &self.namespace)
    }

    /// Returns a synced store of a kind in the namespace.
    pub(crate) async fn store<
        K: CachedResource<Scope = kb::k8s_openapi::NamespaceResourceScope>,
    >(
        &self,
    ) -> Store<K> {
        let config = Config {
            keep_managed_fields_of: Some(OPERATOR.to_owned()),
            ..Config::default()
        };
        let (store, watch) = Store::new(vec![self.api()], config);
        tokio::spawn(watch.run());
        store.wait_until_synced().await;
        store
    }

    /// Creates an object in the namespace.
    pub(crate) async fn create<
        K: CachedResource<Scope = kb::k8s_openapi::NamespaceResourceScope> + serde::Serialize,
    >(
        &self,
        object: Value,
    ) -> K {
        let object = serde_json::from_value(object).unwrap();
        self.api::<K>()
            .create(&kube::api::PostParams::default(), &object)
            .await
            .unwrap()
    }

    pub(crate) async fn shop(&self, name: &str) -> Shop {
        self.create(json!({"metadata": {"name": name}, "spec": {}}))
            .await
    }

    /// Returns a client of the administrator that records its requests.
    pub(crate) async fn recorded_client(&self) -> (Client, RequestRecorder) {
        RequestRecorder::client(self.environment.config().await.unwrap())
    }

    /// Creates a service account with a Role of these rules.
    pub(crate) async fn account(&self, name: &str, rules: Value) -> ServiceAccount {
        let role = json!({"apiVersion": "rbac.authorization.k8s.io/v1", "kind": "Role", "metadata": {"name": name}, "rules": rules});
        self.environment
            .service_account(&self.namespace, name, [role])
            .await
            .unwrap()
    }
}

impl Drop for TestNamespace {
    fn drop(&mut self) {
        if thread::panicking() {
            self.environment.keep_logs();
        }
    }
}

/// Polls until a condition holds. After an outage, watches restart within 30 s.
pub(crate) async fn eventually<F: Future<Output = bool>>(what: &str, condition: impl Fn() -> F) {
    let start = Instant::now();
    while !condition().await {
        assert!(
            start.elapsed() < Duration::from_secs(60),
            "timed out: {what}"
        );
        sleep(Duration::from_millis(20)).await;
    }
}
