//! The objects that the operators work on: so many Widgets in a namespace.

use std::{collections::HashSet, pin::pin, time::Duration};

use anyhow::{Context, Result, bail, ensure};
use futures::{StreamExt, TryStreamExt, stream};
use http::Request;
use kube::{Client, api::WatchEvent};
use serde::Deserialize;
use serde_json::{Value, json};
use tokio::time::timeout;

use super::{program::Running, requests::About};

/// How many are made at once.
const AT_ONCE: usize = 16;
/// How long an operator may take for all of them.
const PATIENCE: Duration = Duration::from_secs(600);
/// How often it is looked whether the operator still runs.
const GLANCE: Duration = Duration::from_secs(2);

/// Widgets in a namespace of their own.
pub(crate) struct Widgets {
    client: Client,
    pub(crate) namespace: String,
    count: u32,
}

/// What is read of a Widget.
#[derive(Debug, Clone, Deserialize)]
struct Widget {
    metadata: Metadata,
    #[serde(default)]
    status: Status,
}

#[derive(Debug, Clone, Deserialize)]
struct Metadata {
    name: String,
}

#[derive(Debug, Clone, Default, Deserialize)]
struct Status {
    #[serde(default)]
    conditions: Vec<Condition>,
}

#[derive(Debug, Clone, Deserialize)]
struct Condition {
    #[serde(rename = "type")]
    type_: String,
    status: String,
}

impl Widget {
    fn is_ready(&self) -> bool {
        let mut conditions = self.status.conditions.iter();
        conditions.any(|condition| condition.type_ == "Ready" && condition.status == "True")
    }
}

impl Widgets {
    /// Makes the namespace and the Widgets.
    pub(crate) async fn make(client: &Client, namespace: String, count: u32) -> Result<Self> {
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
        let path = widgets.path(About::Widgets);
        stream::iter(0..count)
            .map(|number| {
                let widget = json!({
                    "apiVersion": "bench.example.com/v1",
                    "kind": "Widget",
                    "metadata": { "name": format!("widget-{number:05}") },
                    "spec": { "foo": format!("the setting of widget {number}") },
                });
                let (widgets, path) = (&widgets, &path);
                async move { widgets.post(path, &widget).await }
            })
            .buffer_unordered(AT_ONCE)
            .try_collect::<()>()
            .await?;
        Ok(widgets)
    }

    /// Begins to look, and gives what ends when all are ready.
    pub(crate) async fn watch(&self) -> Result<impl Future<Output = Result<()>> + use<>> {
        let path = self.path(About::Widgets);
        let list: Value = self.get(&format!("{path}?limit=1")).await?;
        let version = list["metadata"]["resourceVersion"].as_str();
        let version = version.context("a list has no version")?;
        let url = format!(
            "{path}?watch=true&resourceVersion={version}&timeoutSeconds={}",
            PATIENCE.as_secs()
        );
        let request = Request::get(url).body(Vec::new())?;
        let events = self.client.request_events::<Widget>(request).await?;
        let count = self.count as usize;
        Ok(async move {
            let mut events = pin!(events);
            let mut ready = HashSet::new();
            while ready.len() < count {
                let event = events.next().await.context("the watch has ended")?;
                match event.context("the watch fails")? {
                    WatchEvent::Added(widget) | WatchEvent::Modified(widget) => {
                        if widget.is_ready() {
                            ready.insert(widget.metadata.name);
                        }
                    }
                    WatchEvent::Deleted(_) | WatchEvent::Bookmark(_) => {}
                    WatchEvent::Error(status) => bail!("the watch fails: {}", status.message),
                }
            }
            Ok(())
        })
    }

    /// Waits until all are ready, as long as the operator runs.
    pub(crate) async fn ready(
        &self,
        all: impl Future<Output = Result<()>>,
        operator: &mut Running,
    ) -> Result<()> {
        let mut all = pin!(timeout(PATIENCE, all));
        loop {
            match timeout(GLANCE, &mut all).await {
                Ok(Ok(done)) => return done,
                Ok(Err(_)) => bail!(
                    "{} Widgets are not ready after {PATIENCE:?}:\n{}",
                    self.count,
                    operator.last_words()
                ),
                Err(_) => operator.check()?,
            }
        }
    }

    /// Checks that every Widget has its `ConfigMap`: an operator that does nothing is fast.
    pub(crate) async fn check(&self) -> Result<()> {
        let count = self.len(About::ConfigMaps).await?;
        ensure!(
            count == u64::from(self.count),
            "there are {count} ConfigMaps for {} Widgets",
            self.count
        );
        Ok(())
    }

    /// Deletes them and what was made for them.
    pub(crate) async fn delete(self) -> Result<()> {
        for about in About::ALL {
            // The API server deletes for a minute, and then gives up.
            while self.len(about).await? > 0 {
                let request = Request::delete(self.path(about)).body(Vec::new())?;
                let deleted = self.client.request::<Value>(request).await;
                if let Err(error) = deleted
                    && !matches!(&error, kube::Error::Api(status) if status.code >= 500)
                {
                    return Err(error).context("cannot delete what was measured");
                }
            }
        }
        Ok(())
    }

    /// How many objects of a kind are in the namespace.
    async fn len(&self, about: About) -> Result<u64> {
        let list: Value = self.get(&format!("{}?limit=1", self.path(about))).await?;
        let first = list["items"]
            .as_array()
            .map_or(0, |items| items.len() as u64);
        Ok(first + list["metadata"]["remainingItemCount"].as_u64().unwrap_or(0))
    }

    async fn get(&self, url: &str) -> Result<Value> {
        let answer = self.client.request(Request::get(url).body(Vec::new())?);
        answer.await.with_context(|| format!("cannot get {url}"))
    }

    async fn post(&self, url: &str, object: &Value) -> Result<()> {
        let request = Request::post(url).header("Content-Type", "application/json");
        let request = request.body(object.to_string().into_bytes())?;
        let made = self.client.request::<Value>(request).await;
        made.with_context(|| format!("cannot make an object at {url}"))?;
        Ok(())
    }

    fn path(&self, about: About) -> String {
        let group = match about {
            About::ConfigMaps => "/api/v1",
            About::Widgets => "/apis/bench.example.com/v1",
        };
        format!("{group}/namespaces/{}/{}", self.namespace, about.resource())
    }
}
