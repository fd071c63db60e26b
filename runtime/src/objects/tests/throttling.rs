//! Throttling of objects that are written repeatedly.

use std::{
    convert::Infallible,
    sync::{Arc, Mutex},
    time::Duration,
};

use http::{Method, Request, Response};
use k8s_openapi::api::core::v1::ConfigMap;
use kube::{Client, client::Body};
use serde_json::{Value, json};
use tokio::time::{Instant, sleep};

use super::{
    MANAGER,
    apply::{desired, live},
    from, owner,
};
use crate::{controller::Error, metrics::Metrics, objects::Objects, store::samples::Log};

/// An API server with one object, and optionally another controller that reverts each write immediately.
#[derive(Clone)]
struct Server {
    object: Arc<Mutex<Value>>,
    writes: Arc<Mutex<usize>>,
    reads: Arc<Mutex<usize>>,
    reverts: bool,
}

impl Server {
    fn new(reverts: bool) -> Self {
        Self {
            object: Arc::new(Mutex::new(live("theirs", 5))),
            writes: Arc::default(),
            reads: Arc::default(),
            reverts,
        }
    }

    fn objects(&self, metrics: &Metrics) -> Objects {
        let server = self.clone();
        let service = tower::service_fn(move |request: Request<Body>| {
            let server = server.clone();
            async move { Ok::<_, Infallible>(server.respond(request).await) }
        });
        Objects::new(Client::new(service, "default"), MANAGER).with_metrics(metrics)
    }

    fn cached(&self) -> ConfigMap {
        from(self.object.lock().unwrap().clone())
    }

    async fn respond(&self, request: Request<Body>) -> Response<Body> {
        let is_read = request.method() == Method::GET;
        let text = request.into_body().collect_bytes().await.unwrap();
        let mut object = self.object.lock().unwrap();
        let response = if is_read {
            *self.reads.lock().unwrap() += 1;
            object.clone()
        } else {
            *self.writes.lock().unwrap() += 1;
            let sent: Value = serde_json::from_slice(&text).unwrap();
            let version = object["metadata"]["resourceVersion"].as_str();
            let version: u64 = version.unwrap().parse().unwrap();
            let value = sent["data"]["k"].as_str().unwrap_or("-");
            let mut written = live(value, version + 1);
            written["status"] = sent["status"].clone();
            *object = written.clone();
            if self.reverts {
                *object = live("theirs", version + 2);
                let entries = object["metadata"]["managedFields"].as_array_mut();
                entries.unwrap().push(json!({
                    "manager": "intruder", "operation": "Update", "fieldsV1": {"f:data": {"f:k": {}}},
                }));
            }
            written
        };
        Response::new(Body::from(serde_json::to_vec(&response).unwrap()))
    }
}

/// Writes as fast as a controller would for some seconds, and returns the number of writes.
async fn write_repeatedly<F, E>(
    server: &Server,
    seconds: u64,
    mut write: impl FnMut(u64) -> F,
) -> usize
where
    F: Future<Output = Result<(), E>>,
    E: Into<Error>,
{
    let start = Instant::now();
    let before = *server.writes.lock().unwrap();
    for attempt in 0.. {
        assert!(attempt < 1000, "not throttled");
        if start.elapsed() >= Duration::from_secs(seconds) {
            break;
        }
        match write(attempt).await.map_err(Into::into) {
            Ok(()) => sleep(Duration::from_millis(5)).await,
            Err(error) => sleep(error.deferral().expect("a deferral")).await,
        }
    }
    *server.writes.lock().unwrap() - before
}

fn assert_bounded(first_minute: usize, ten_minutes: usize) {
    assert!((10..=16).contains(&first_minute), "{first_minute}");
    assert!(ten_minutes <= 12, "{ten_minutes}");
}

#[tokio::test(start_paused = true)]
async fn throttles_if_another_controller_reverts_each_write() {
    let log = Log::begin();
    let (server, metrics) = (Server::new(true), Metrics::new());
    let objects = server.objects(&metrics);
    let write = |_| async {
        let (owner, cached) = (owner(), server.cached());
        let applied = objects.apply_with_cached(&owner, desired("ours"), Some(&cached));
        applied.await.map(drop)
    };
    let first = write_repeatedly(&server, 60, write).await;
    assert_bounded(first, write_repeatedly(&server, 600, write).await);
    let reads = *server.reads.lock().unwrap();
    assert!(reads <= *server.writes.lock().unwrap(), "{reads}");

    let lines = log.lines("another field manager keeps changing the same fields");
    assert!(!lines.is_empty() && lines.len() <= reads, "{lines:?}");
    let line = &lines[0];
    assert!(line.contains(r#"fields="data.k""#), "{line}");
    assert!(line.contains(r#"field_managers="intruder""#), "{line}");
    let text = metrics.render().unwrap();
    let counted = r#"kb_throttled_writes_total{write="apply"} "#;
    let count = text.lines().find_map(|line| line.strip_prefix(counted));
    assert!(count.is_some_and(|count| count != "0"), "{text}");
}

#[tokio::test(start_paused = true)]
async fn throttles_if_the_desired_state_keeps_changing() {
    let log = Log::begin();
    let server = Server::new(false);
    let objects = server.objects(&Metrics::new());
    let write = |attempt: u64| {
        let (server, objects) = (&server, &objects);
        async move {
            let (owner, cached) = (owner(), server.cached());
            let desired = desired(&attempt.to_string());
            let applied = objects.apply_with_cached(&owner, desired, Some(&cached));
            applied.await.map(drop)
        }
    };
    let first = write_repeatedly(&server, 60, write).await;
    assert_bounded(first, write_repeatedly(&server, 600, write).await);
    let lines = log.lines("desired state keeps changing");
    assert!(lines[0].contains(r#"fields="data.k""#), "{lines:?}");
}

#[tokio::test(start_paused = true)]
async fn throttles_if_the_status_keeps_changing() {
    let log = Log::begin();
    let (server, metrics) = (Server::new(false), Metrics::new());
    let objects = server.objects(&metrics);
    let write = |attempt: u64| {
        let (server, objects) = (&server, &objects);
        async move {
            let status = json!({"synced": attempt, "phase": "Ready"});
            let cached = server.cached();
            objects.patch_status(&cached, &status).await.map(drop)
        }
    };
    let first = write_repeatedly(&server, 60, write).await;
    assert_bounded(first, write_repeatedly(&server, 600, write).await);
    let lines = log.lines("desired state keeps changing");
    assert!(lines[0].contains("status.synced"), "{lines:?}");
    let text = metrics.render().unwrap();
    assert!(!text.contains("kb_throttled_writes_total{write=\"status\"} 0\n"));
}
