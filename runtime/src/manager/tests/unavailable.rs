//! Stores that cannot be listed hold back the controllers that name them, and no others.

use std::sync::atomic::{AtomicU16, Ordering};

use super::*;
use crate::store::Store;

/// Lists one object of each kind. Lists of Secrets fail with this HTTP status, unless it is 200.
struct Cluster {
    secrets: Arc<AtomicU16>,
    story: Story,
}

impl Cluster {
    fn new(secrets: u16) -> Self {
        Self {
            secrets: Arc::new(AtomicU16::new(secrets)),
            story: Story::default(),
        }
    }

    fn manager(&self) -> Manager {
        self.manager_with(&[])
    }

    fn manager_with(&self, arguments: &[&str]) -> Manager {
        let secrets = Arc::clone(&self.secrets);
        let lease = Arc::<Mutex<Option<Value>>>::default();
        let service = service_fn(move |request: Request<Body>| {
            let (secrets, lease) = (Arc::clone(&secrets), Arc::clone(&lease));
            async move {
                let answer = match request.uri().path() {
                    "/api/v1/secrets" => listed(&request, secrets.load(Ordering::Relaxed)),
                    "/api/v1/configmaps" => listed(&request, 200),
                    _ => leased(request, &lease).await,
                };
                Ok::<_, Infallible>(answer)
            }
        });
        let client = Client::new(service, "test");
        let (flags, shutdown) = (flags(arguments), Shutdown::default());
        let manager = Manager::with_client("operator", flags, client, Metrics::new(), shutdown);
        harmless(manager.unwrap())
    }

    /// Waits until an object of a kind is reconciled, for at most five minutes.
    async fn until(&self, kind: &str) {
        let reconciled = tokio::time::timeout(Duration::from_secs(300), self.story.until(kind));
        assert!(reconciled.await.is_ok(), "in vain: {kind}");
    }

    fn context(&self) -> Story {
        self.story.clone()
    }

    /// What was reconciled after a minute, and what `/readyz/caches` says then.
    async fn after_a_minute(&self, manager: Manager) -> (Vec<&'static str>, Result<(), String>) {
        let (registered, shutdown) = (Arc::clone(&manager.registered), manager.shutdown.clone());
        let running = tokio::spawn(manager.run());
        tokio::time::sleep(Duration::from_secs(60)).await;
        let ready = registered.lock().unwrap().ready();
        shutdown.drain.cancel();
        running.await.unwrap().unwrap();
        (self.story.so_far(), ready)
    }
}

fn refused(status: u16) -> Answer {
    let reason = match status {
        403 => "Forbidden",
        404 => "NotFound",
        _ => "InternalError",
    };
    let body = json!({"kind": "Status", "status": "Failure", "code": status, "message": "no", "reason": reason});
    reply(StatusCode::from_u16(status).unwrap(), &body)
}

/// A lease that can be written and read.
async fn leased(request: Request<Body>, lease: &Mutex<Option<Value>>) -> Answer {
    let body = request.into_body().collect_bytes().await.unwrap();
    let mut lease = lease.lock().unwrap();
    if !body.is_empty() {
        let mut written: Value = serde_json::from_slice(&body).unwrap();
        written["metadata"]["resourceVersion"] = json!("1");
        *lease = Some(written);
    }
    match &*lease {
        Some(lease) => reply(StatusCode::OK, lease),
        None => refused(404),
    }
}

fn listed(request: &Request<Body>, status: u16) -> Answer {
    if status != 200 {
        return refused(status);
    }
    let query = request.uri().query().unwrap_or_default();
    if query.contains("watch=true") {
        let silence = stream::pending::<Result<Frame<Bytes>, Infallible>>();
        return Response::new(StreamBody::new(silence).boxed_unsync());
    }
    let object = json!({"metadata": {"name": "one", "namespace": "test", "uid": "1", "resourceVersion": "5"}});
    let list = json!({"apiVersion": "v1", "metadata": {"resourceVersion": "5"}, "items": [object]});
    reply(StatusCode::OK, &list)
}

async fn config_map(_: Arc<ConfigMap>, story: Arc<Story>) -> Result<Action, controller::Error> {
    story.tell("ConfigMap");
    Ok(Action::await_change())
}

async fn secret(_: Arc<Secret>, story: Arc<Story>) -> Result<Action, controller::Error> {
    story.tell("Secret");
    Ok(Action::await_change())
}

fn unready(reason: &str) -> Result<(), String> {
    Err(format!("not listed yet: {reason}"))
}

#[tokio::test(start_paused = true)]
async fn a_kind_that_cannot_be_listed_holds_back_only_its_own_controller() {
    for (status, reason) in [
        (404, "Secret (CRD not installed)"),
        (403, "Secret (list or watch forbidden)"),
    ] {
        let cluster = Cluster::new(status);
        let manager = cluster.manager();
        let config_maps = Controller::new("configmap", &manager.store::<ConfigMap>());
        manager.start(config_maps, config_map, cluster.context());
        let secrets = Controller::new("secret", &manager.store::<Secret>());
        manager.start(secrets, secret, cluster.context());
        let (reconciled, ready) = cluster.after_a_minute(manager).await;
        assert_eq!((reconciled, ready), (vec!["ConfigMap"], unready(reason)));
    }
}

#[tokio::test(start_paused = true)]
async fn the_same_holds_for_a_leader_whose_watches_connect_anew() {
    let cluster = Cluster::new(404);
    let manager = cluster.manager_with(&ELECTED);
    let config_maps = Controller::new("configmap", &manager.store::<ConfigMap>());
    manager.start(config_maps, config_map, cluster.context());
    let secrets = Controller::new("secret", &manager.store::<Secret>());
    manager.start(secrets, secret, cluster.context());
    let running = manager.spawn();
    cluster.until("ConfigMap").await;
    tokio::time::sleep(Duration::from_secs(60)).await;
    assert_eq!(cluster.story.so_far(), ["ConfigMap"]);
    cluster.secrets.store(200, Ordering::Relaxed);
    cluster.until("Secret").await;
    running.stop().await.unwrap();
}

#[tokio::test(start_paused = true)]
async fn the_controller_starts_once_its_kind_can_be_listed() {
    let cluster = Cluster::new(404);
    let manager = cluster.manager();
    let secrets = Controller::new("secret", &manager.store::<Secret>());
    manager.start(secrets, secret, cluster.context());
    let running = manager.spawn();
    tokio::time::sleep(Duration::from_secs(60)).await;
    assert_eq!(cluster.story.so_far(), Vec::<&str>::new());
    cluster.secrets.store(200, Ordering::Relaxed);
    cluster.until("Secret").await;
    running.stop().await.unwrap();
}

#[tokio::test(start_paused = true)]
async fn every_controller_that_names_the_store_is_held_back() {
    type Named = fn(Controller<ConfigMap>, &Store<Secret>) -> Controller<ConfigMap>;
    let ways: [Named; 3] = [
        |controller, secrets| controller.owns(secrets),
        |controller, secrets| controller.watches(secrets, |_| None),
        |controller, secrets| controller.reads(secrets),
    ];
    for named in ways {
        let cluster = Cluster::new(403);
        let manager = cluster.manager();
        let (config_maps, secrets) = (manager.store::<ConfigMap>(), manager.store::<Secret>());
        let controller = named(Controller::new("configmap", &config_maps), &secrets);
        manager.start(controller, config_map, cluster.context());
        let (reconciled, _) = cluster.after_a_minute(manager).await;
        assert_eq!(reconciled, Vec::<&str>::new());
    }
}

#[tokio::test(start_paused = true)]
async fn a_store_that_no_controller_names_holds_back_all() {
    let cluster = Cluster::new(403);
    let manager = cluster.manager();
    let config_maps = Controller::new("configmap", &manager.store::<ConfigMap>());
    let _in_the_context = manager.store::<Secret>();
    manager.start(config_maps, config_map, cluster.context());
    let (reconciled, _) = cluster.after_a_minute(manager).await;
    assert_eq!(reconciled, Vec::<&str>::new());
}

#[tokio::test(start_paused = true)]
async fn a_failure_that_passes_holds_back_all() {
    let cluster = Cluster::new(500);
    let manager = cluster.manager();
    let config_maps = Controller::new("configmap", &manager.store::<ConfigMap>());
    manager.start(config_maps, config_map, cluster.context());
    let secrets = Controller::new("secret", &manager.store::<Secret>());
    manager.start(secrets, secret, cluster.context());
    let (reconciled, ready) = cluster.after_a_minute(manager).await;
    assert_eq!((reconciled, ready), (vec![], unready("Secret")));
}
