//! The objects that an operator reconciles: Widgets in a namespace.

use std::{collections::HashSet, pin::pin, time::Duration};

use anyhow::{Context, Result, bail, ensure};
use futures::{StreamExt, TryStreamExt, stream};
use http::Request;
use kube::{Client, api::WatchEvent};
use serde_json::{Value, json};
use tokio::time::timeout;

use super::process::Operator;

pub(crate) const RESOURCES: [&str; 2] = ["configmaps", "widgets"];

const CONCURRENCY: usize = 16;
const TIMEOUT: Duration = Duration::from_secs(600);

pub(crate) struct Widgets {
    client: Client,
    pub(crate) namespace: String,
    count: u32,
}

impl Widgets {
    /// Creates the namespace and its Widgets.
    pub(crate) async fn create(client: &Client, namespace: String, count: u32) -> Result<Self> {
        let widgets = Self {
            client: client.clone(),
            namespace,
            count,
        };
        let namespace = json!({
            "apiVersion": "v1",
            "kind": "Namespace",
            "metadata": { "name": widgets.namespace },
        });
        widgets.post("/api/v1/namespaces", &namespace).await?;
        let path = widgets.path("widgets");
        stream::iter(0..count)
            .map(|number| {
                let widget = json!({
                    "apiVersion": "bench.example.com/v1",
                    "kind": "Widget",
                    "metadata": { "name": format!("widget-{number:05}") },
                    "spec": { "foo": format!("setting of widget {number}") },
                });
                let (widgets, path) = (&widgets, &path);
                async move { widgets.post(path, &widget).await }
            })
            .buffer_unordered(CONCURRENCY)
            .try_collect::<()>()
            .await?;
        Ok(widgets)
    }

    /// Starts a watch and returns a future that completes once all Widgets are ready.
    pub(crate) async fn watch(&self) -> Result<impl Future<Output = Result<()>> + use<>> {
        let path = self.path("widgets");
        let list: Value = self.get(&format!("{path}?limit=1")).await?;
        let version = list["metadata"]["resourceVersion"].as_str();
        let version = version.context("the list has no resourceVersion")?;
        let seconds = TIMEOUT.as_secs();
        let url = format!("{path}?watch=true&resourceVersion={version}&timeoutSeconds={seconds}");
        let request = Request::get(url).body(Vec::new())?;
        let events = self.client.request_events::<Value>(request).await?;
        let count = self.count as usize;
        Ok(async move {
            let mut events = pin!(events);
            let mut ready = HashSet::new();
            while ready.len() < count {
                match events.next().await.context("the watch ended")?? {
                    WatchEvent::Added(widget) | WatchEvent::Modified(widget) => {
                        if is_ready(&widget) {
                            ready.insert(widget["metadata"]["name"].as_str().map(str::to_owned));
                        }
                    }
                    WatchEvent::Deleted(_) | WatchEvent::Bookmark(_) => {}
                    WatchEvent::Error(status) => bail!("watch failed: {}", status.message),
                }
            }
            Ok(())
        })
    }

    /// Waits until all Widgets are ready, while the operator runs.
    pub(crate) async fn wait_until_ready(
        &self,
        all_ready: impl Future<Output = Result<()>>,
        operator: &mut Operator,
    ) -> Result<()> {
        let mut all_ready = pin!(timeout(TIMEOUT, all_ready));
        loop {
            match timeout(Duration::from_secs(2), &mut all_ready).await {
                Ok(Ok(result)) => return result,
                Ok(Err(_)) => bail!("Widgets are not ready:\n{}", operator.log_tail()),
                Err(_) => operator.check_running()?,
            }
        }
    }

    /// Checks that every Widget has its `ConfigMap`: an operator that does nothing is fast.
    pub(crate) async fn check_config_maps(&self) -> Result<()> {
        let (found, expected) = (self.len("configmaps").await?, u64::from(self.count));
        ensure!(
            found == expected,
            "{found} ConfigMaps for {expected} Widgets"
        );
        Ok(())
    }

    pub(crate) async fn delete(self) -> Result<()> {
        for resource in RESOURCES {
            // The API server gives up after a minute.
            while self.len(resource).await? > 0 {
                let request = Request::delete(self.path(resource)).body(Vec::new())?;
                match self.client.request::<Value>(request).await {
                    Err(kube::Error::Api(status)) if status.code >= 500 => {}
                    result => drop(result?),
                }
            }
        }
        Ok(())
    }

    async fn len(&self, resource: &str) -> Result<u64> {
        let url = format!("{}?limit=1", self.path(resource));
        let list = self.get(&url).await?;
        let items = list["items"].as_array().map_or(0, Vec::len) as u64;
        Ok(items + list["metadata"]["remainingItemCount"].as_u64().unwrap_or(0))
    }

    async fn get(&self, url: &str) -> Result<Value> {
        Ok(self
            .client
            .request(Request::get(url).body(Vec::new())?)
            .await?)
    }

    async fn post(&self, url: &str, object: &Value) -> Result<()> {
        let request = Request::post(url).header("Content-Type", "application/json");
        let request = request.body(object.to_string().into_bytes())?;
        self.client.request::<Value>(request).await?;
        Ok(())
    }

    fn path(&self, resource: &str) -> String {
        let group = match resource {
            "configmaps" => "api/v1",
            _ => "apis/bench.example.com/v1",
        };
        format!("/{group}/namespaces/{}/{resource}", self.namespace)
    }
}

fn is_ready(widget: &Value) -> bool {
    let conditions = widget["status"]["conditions"].as_array();
    conditions.is_some_and(|conditions| {
        let ready =
            |condition: &Value| condition["type"] == "Ready" && condition["status"] == "True";
        conditions.iter().any(ready)
    })
}
