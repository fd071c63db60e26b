//! Stores that cannot be listed delay only the controllers that declare them.

use std::sync::atomic::{AtomicU16, Ordering};

use super::*;
use crate::store::Store;

/// Serves one object of each kind. Lists of Secrets fail with the given HTTP status unless it is 200.
struct Cluster {
    secrets: Arc<AtomicU16>,
    events: EventLog,
}

impl Cluster {
    fn new(secrets: u16) -> Self {
        Self {
            secrets: Arc::new(AtomicU16::new(secrets)),
            events: EventLog::default(),
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
                let response = match request.uri().path() {
                    "/api/v1/secrets" => listed(&request, secrets.load(Ordering::Relaxed)),
                    "/api/v1/configmaps" => listed(&request, 200),
                    _ => leased(request, &lease).await,
                };
                Ok::<_, Infallible>(response)
            }
        });
        let client = Client::new(service, "test");
        manager(client, arguments, &Shutdown::default())
    }

    /// Waits until an object of a kind is reconciled, for at most five minutes.
    async fn wait_for(&self, kind: &str) {
        let reconciled = tokio::time::timeout(Duration::from_secs(300), self.events.wait_for(kind));
        assert!(reconciled.await.is_ok(), "{kind} was not reconciled");
    }

    fn context(&self) -> EventLog {
        self.events.clone()
    }

    /// Returns what was reconciled after a minute, and the readiness check then.
    async fn after_a_minute(&self, manager: Manager) -> (Vec<&'static str>, Result<(), String>) {
        let (runnables, shutdown) = (Arc::clone(&manager.runnables), manager.shutdown.clone());
        let running = tokio::spawn(manager.run());
        tokio::time::sleep(Duration::from_secs(60)).await;
        let ready = runnables.lock().unwrap().ready();
        shutdown.drain.cancel();
        running.await.unwrap().unwrap();
        (self.events.snapshot(), ready)
    }
}

fn error_response(status: u16) -> HttpResponse {
    let reason = match status {
        403 => "Forbidden",
        404 => "NotFound",
        _ => "InternalError",
    };
    let body = json!({"kind": "Status", "status": "Failure", "code": status, "message": "no", "reason": reason});
    reply(StatusCode::from_u16(status).unwrap(), &body)
}

/// Serves the lease.
async fn leased(request: Request<Body>, lease: &Mutex<Option<Value>>) -> HttpResponse {
    let body = request.into_body().collect_bytes().await.unwrap();
    let mut lease = lease.lock().unwrap();
    if !body.is_empty() {
        let mut written: Value = serde_json::from_slice(&body).unwrap();
        written["metadata"]["resourceVersion"] = json!("1");
        *lease = Some(written);
    }
    match &*lease {
        Some(lease) => reply(StatusCode::OK, lease),
        None => error_response(404),
    }
}

fn listed(request: &Request<Body>, status: u16) -> HttpResponse {
    if status != 200 {
        return error_response(status);
    }
    list_or_watch(request.uri().query().unwrap_or_default())
}

async fn config_map(_: Arc<ConfigMap>, events: Arc<EventLog>) -> Result<Action, controller::Error> {
    events.push("ConfigMap");
    Ok(Action::await_change())
}

async fn secret(_: Arc<Secret>, events: Arc<EventLog>) -> Result<Action, controller::Error> {
    events.push("Secret");
    Ok(Action::await_change())
}

fn unready(reason: &str) -> Result<(), String> {
    Err(format!("caches not synced: {reason}"))
}

#[tokio::test(start_paused = true)]
async fn an_unavailable_kind_delays_only_its_own_controller() {
    for (status, reason) in [
        (404, "Secret (CRD not installed)"),
        (403, "Secret (list or watch forbidden)"),
    ] {
        let cluster = Cluster::new(status);
        let manager = cluster.manager();
        let config_maps = Controller::new("configmap", &manager.store::<ConfigMap>());
        manager.add_controller(config_maps, config_map, cluster.context());
        let secrets = Controller::new("secret", &manager.store::<Secret>());
        manager.add_controller(secrets, secret, cluster.context());
        let (reconciled, ready) = cluster.after_a_minute(manager).await;
        assert_eq!((reconciled, ready), (vec!["ConfigMap"], unready(reason)));
    }
}

#[tokio::test(start_paused = true)]
async fn an_unavailable_kind_delays_only_its_own_controller_of_a_new_leader() {
    let cluster = Cluster::new(404);
    let manager = cluster.manager_with(&LEADER_ELECT);
    let config_maps = Controller::new("configmap", &manager.store::<ConfigMap>());
    manager.add_controller(config_maps, config_map, cluster.context());
    let secrets = Controller::new("secret", &manager.store::<Secret>());
    manager.add_controller(secrets, secret, cluster.context());
    let running = manager.spawn();
    cluster.wait_for("ConfigMap").await;
    tokio::time::sleep(Duration::from_secs(60)).await;
    assert_eq!(cluster.events.snapshot(), ["ConfigMap"]);
    cluster.secrets.store(200, Ordering::Relaxed);
    cluster.wait_for("Secret").await;
    running.stop().await.unwrap();
}

#[tokio::test(start_paused = true)]
async fn the_controller_starts_once_its_kind_is_available() {
    let cluster = Cluster::new(404);
    let manager = cluster.manager();
    let secrets = Controller::new("secret", &manager.store::<Secret>());
    manager.add_controller(secrets, secret, cluster.context());
    let running = manager.spawn();
    tokio::time::sleep(Duration::from_secs(60)).await;
    assert_eq!(cluster.events.snapshot(), Vec::<&str>::new());
    cluster.secrets.store(200, Ordering::Relaxed);
    cluster.wait_for("Secret").await;
    running.stop().await.unwrap();
}

#[tokio::test(start_paused = true)]
async fn every_controller_that_declares_the_store_is_delayed() {
    type Declare =
        fn(Controller<ConfigMap, EventLog>, &Store<Secret>) -> Controller<ConfigMap, EventLog>;
    let ways: [Declare; 3] = [
        |controller, secrets| controller.owns(secrets),
        |controller, secrets| controller.watches(secrets, |_| None),
        |controller, secrets| controller.reads(secrets),
    ];
    for declare in ways {
        let cluster = Cluster::new(403);
        let manager = cluster.manager();
        let (config_maps, secrets) = (manager.store::<ConfigMap>(), manager.store::<Secret>());
        let controller = declare(Controller::new("configmap", &config_maps), &secrets);
        manager.add_controller(controller, config_map, cluster.context());
        let (reconciled, _) = cluster.after_a_minute(manager).await;
        assert_eq!(reconciled, Vec::<&str>::new());
    }
}

#[tokio::test(start_paused = true)]
async fn an_undeclared_store_delays_all_controllers() {
    let cluster = Cluster::new(403);
    let manager = cluster.manager();
    let config_maps = Controller::new("configmap", &manager.store::<ConfigMap>());
    let _undeclared = manager.store::<Secret>();
    manager.add_controller(config_maps, config_map, cluster.context());
    let (reconciled, _) = cluster.after_a_minute(manager).await;
    assert_eq!(reconciled, Vec::<&str>::new());
}

#[tokio::test(start_paused = true)]
async fn a_transient_failure_delays_all_controllers() {
    let cluster = Cluster::new(500);
    let manager = cluster.manager();
    let config_maps = Controller::new("configmap", &manager.store::<ConfigMap>());
    manager.add_controller(config_maps, config_map, cluster.context());
    let secrets = Controller::new("secret", &manager.store::<Secret>());
    manager.add_controller(secrets, secret, cluster.context());
    let (reconciled, ready) = cluster.after_a_minute(manager).await;
    assert_eq!((reconciled, ready), (vec![], unready("Secret")));
}
