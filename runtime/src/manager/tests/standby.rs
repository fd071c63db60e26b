//! A standby whose watch connection is dead acquires the lease.

use super::*;

#[derive(Clone, Default)]
struct Strings(Arc<Mutex<Vec<String>>>);

impl Strings {
    fn snapshot(&self) -> Vec<String> {
        self.0.lock().unwrap().clone()
    }
}

/// Serves a `ConfigMap` that changes from `old` to `new` while the first watch is dead, and a lease held by another.
#[derive(Clone, Default)]
struct Cluster {
    lease: Arc<Mutex<Option<Value>>>,
    requests: Strings,
    /// Whether the first watch of the new leader fails because its resource version expired.
    is_expired: bool,
}

impl Cluster {
    fn client(&self) -> Client {
        let cluster = self.clone();
        let service = service_fn(move |request: Request<Body>| {
            let cluster = cluster.clone();
            async move { Ok::<_, Infallible>(cluster.respond(request).await) }
        });
        Client::new(service, "test")
    }

    async fn respond(&self, request: Request<Body>) -> HttpResponse {
        if request.uri().path().contains("/leases") {
            let body = request.into_body().collect_bytes().await.unwrap();
            let mut lease = self.lease.lock().unwrap();
            if !body.is_empty() {
                *lease = Some(serde_json::from_slice(&body).unwrap());
            }
            return reply(StatusCode::OK, lease.as_ref().unwrap());
        }
        let query = request.uri().query().unwrap_or_default();
        let is_watch = query.contains("watch=true");
        let version = query
            .split('&')
            .find_map(|part| part.strip_prefix("resourceVersion="));
        let verb = if is_watch { "watch" } else { "list" };
        let mut requests = self.requests.0.lock().unwrap();
        requests.push(format!("{verb} {}", version.unwrap_or_default()));
        let watches = requests
            .iter()
            .filter(|request| request.starts_with("watch"));
        match (is_watch, watches.count()) {
            (false, 0) => list("old", "5"),
            (false, _) => list("new", "9"),
            (true, 2) if self.is_expired => {
                let gone = json!({"kind": "Status", "status": "Failure", "code": 410, "message": "too old", "reason": "Expired"});
                event("ERROR", &gone)
            }
            (true, 2) => event("MODIFIED", &object("new", "6")),
            (true, _) => silence(""),
        }
    }
}

fn object(text: &str, version: &str) -> Value {
    json!({
        "kind": "ConfigMap", "apiVersion": "v1", "data": {"text": text},
        "metadata": {"name": "one", "namespace": "test", "uid": "1", "resourceVersion": version},
    })
}

fn list(text: &str, version: &str) -> HttpResponse {
    let list = json!({"apiVersion": "v1", "metadata": {"resourceVersion": version}, "items": [object(text, version)]});
    reply(StatusCode::OK, &list)
}

/// Returns a watch with one event. Its type comes first, as the API server writes it.
fn event(kind: &str, object: &Value) -> HttpResponse {
    silence(&format!("{{\"type\": \"{kind}\", \"object\": {object}}}\n"))
}

/// Returns a watch that sends `first` and then nothing.
fn silence(first: &str) -> HttpResponse {
    let frame = Frame::data(Bytes::from(first.to_owned()));
    let body = stream::iter([Ok::<_, Infallible>(frame)]).chain(stream::pending());
    Response::new(StreamBody::new(body).boxed_unsync())
}

async fn record(object: Arc<ConfigMap>, seen: Arc<Strings>) -> Result<Action, controller::Error> {
    let text = object.data.as_ref().unwrap()["text"].clone();
    seen.0.lock().unwrap().push(text);
    Ok(Action::await_change())
}

/// Returns what a standby reconciles after it takes over at 15 s, and its requests.
async fn reconciled(is_expired: bool) -> (Vec<String>, Vec<String>) {
    let cluster = Cluster {
        is_expired,
        ..Cluster::default()
    };
    *cluster.lease.lock().unwrap() = Some(json!({
        "metadata": {"name": "operator", "namespace": "test", "resourceVersion": "1"},
        "spec": {"holderIdentity": "another", "leaseDurationSeconds": 15},
    }));
    let manager = manager(cluster.client(), &LEADER_ELECT, &Shutdown::default());
    let seen = Strings::default();
    let controller = Controller::new("configmap", &manager.store::<ConfigMap>());
    manager.add_controller(controller, record, seen.clone());
    let running = manager.spawn();
    tokio::time::sleep(Duration::from_secs(14)).await;
    assert_eq!(seen.snapshot().len(), 0, "still a standby");
    tokio::time::sleep(Duration::from_secs(10)).await;
    running.stop().await.unwrap();
    (seen.snapshot(), cluster.requests.snapshot())
}

#[tokio::test(start_paused = true)]
async fn a_new_leader_reconnects_its_watches_before_reconciling() {
    let (reconciled, requests) = reconciled(false).await;
    assert_eq!(reconciled, ["new"]);
    let resumed = ["list ", "watch 5", "watch 5"];
    assert_eq!(requests, resumed, "must not relist");
}

#[tokio::test(start_paused = true)]
async fn a_new_leader_with_an_expired_watch_relists_before_reconciling() {
    let (reconciled, requests) = reconciled(true).await;
    assert_eq!(reconciled, ["new"]);
    assert_eq!(requests.last().unwrap(), "watch 9");
}
