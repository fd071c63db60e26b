//! A standby that takes the lease, though its watch has died without a word.

use super::*;

#[derive(Clone, Default)]
struct Texts(Arc<Mutex<Vec<String>>>);

impl Texts {
    fn so_far(&self) -> Vec<String> {
        self.0.lock().unwrap().clone()
    }
}

/// A `ConfigMap` that changes from `old` to `new` while the first watch is dead. The lease is another's.
#[derive(Clone, Default)]
struct Cluster {
    lease: Arc<Mutex<Option<Value>>>,
    requests: Texts,
    /// The first watch of the new leader is answered with an error: its version is too old.
    is_too_old: bool,
}

impl Cluster {
    fn client(&self) -> Client {
        let cluster = self.clone();
        let service = service_fn(move |request: Request<Body>| {
            let cluster = cluster.clone();
            async move { Ok::<_, Infallible>(cluster.answer(request).await) }
        });
        Client::new(service, "test")
    }

    async fn answer(&self, request: Request<Body>) -> Answer {
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
            (true, 2) if self.is_too_old => {
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

fn list(text: &str, version: &str) -> Answer {
    let list = json!({"apiVersion": "v1", "metadata": {"resourceVersion": version}, "items": [object(text, version)]});
    reply(StatusCode::OK, &list)
}

/// An event of a watch. Its type stands first, as the API server writes it.
fn event(kind: &str, object: &Value) -> Answer {
    silence(&format!("{{\"type\": \"{kind}\", \"object\": {object}}}\n"))
}

/// A watch that says nothing more.
fn silence(after: &str) -> Answer {
    let said = Frame::data(Bytes::from(after.to_owned()));
    let body = stream::iter([Ok::<_, Infallible>(said)]).chain(stream::pending());
    Response::new(StreamBody::new(body).boxed_unsync())
}

async fn note(object: Arc<ConfigMap>, seen: Arc<Texts>) -> Result<Action, controller::Error> {
    let text = object.data.as_ref().unwrap()["text"].clone();
    seen.0.lock().unwrap().push(text);
    Ok(Action::await_change())
}

/// What a standby reconciles that takes over after 15 s, and what it asked for.
async fn reconciled(is_too_old: bool) -> (Vec<String>, Vec<String>) {
    let cluster = Cluster {
        is_too_old,
        ..Cluster::default()
    };
    *cluster.lease.lock().unwrap() = Some(json!({
        "metadata": {"name": "operator", "namespace": "test", "resourceVersion": "1"},
        "spec": {"holderIdentity": "another", "leaseDurationSeconds": 15},
    }));
    let manager = Manager::with_client(
        "operator",
        flags(&ELECTED),
        cluster.client(),
        Metrics::new(),
        Shutdown::default(),
    );
    let manager = harmless(manager.unwrap());
    let seen = Texts::default();
    let controller = Controller::new("configmap", &manager.store::<ConfigMap>());
    manager.start(controller, note, seen.clone());
    let running = manager.spawn();
    tokio::time::sleep(Duration::from_secs(14)).await;
    assert_eq!(seen.so_far().len(), 0, "it is a standby");
    tokio::time::sleep(Duration::from_secs(10)).await;
    running.stop().await.unwrap();
    (seen.so_far(), cluster.requests.so_far())
}

#[tokio::test(start_paused = true)]
async fn a_new_leader_does_not_reconcile_from_a_watch_that_is_dead() {
    let (reconciled, requests) = reconciled(false).await;
    assert_eq!(reconciled, ["new"]);
    let resumed = ["list ", "watch 5", "watch 5"];
    assert_eq!(requests, resumed, "it does not list again");
}

#[tokio::test(start_paused = true)]
async fn a_new_leader_whose_watch_is_too_old_lists_again_first() {
    let (reconciled, requests) = reconciled(true).await;
    assert_eq!(reconciled, ["new"]);
    assert_eq!(requests.last().unwrap(), "watch 9");
}
