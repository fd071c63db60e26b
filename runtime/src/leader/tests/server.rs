//! An API server that knows one Lease, and the links to it, which can be disturbed.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use http::{Method, Request, Response};
use http_body_util::BodyExt;
use k8s_openapi::api::coordination::v1::{Lease, LeaseSpec};
use kube::client::Body;
use kube::core::Status;
use serde::Serialize;
use tokio::sync::oneshot;
use tokio::time::sleep;

pub(super) const NAME: &str = "shop";
pub(super) const NAMESPACE: &str = "shop-system";
const PATH: &str = "/apis/coordination.k8s.io/v1/namespaces/shop-system/leases";

/// The server; clones are the same one.
#[derive(Clone, Default)]
pub(super) struct Server(Arc<Mutex<State>>);

#[derive(Default)]
struct State {
    lease: Option<Lease>,
    is_deleted: bool,
    version: u64,
    requests: Vec<String>,
}

/// What happens to the requests of one client.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) enum Weather {
    #[default]
    Fine,
    /// The server answers with this status, and does nothing.
    Refused(u16),
    /// Requests do not arrive.
    Lost,
    /// Requests arrive, answers do not.
    Unanswered,
    /// Requests arrive late, and so do answers; a client that has given up does not hold them back.
    Slow { there: Duration, back: Duration },
}

/// The way from one client to the server.
#[derive(Clone, Default)]
pub(super) struct Link {
    weather: Arc<Mutex<Weather>>,
    has_seen: Arc<AtomicBool>,
}

impl Link {
    pub(super) fn set(&self, weather: Weather) {
        *self.weather.lock().unwrap() = weather;
    }

    /// Whether its client was told of a lease.
    pub(super) fn has_seen(&self) -> bool {
        self.has_seen.load(Ordering::Relaxed)
    }

    /// Its client is a new one, and knows nothing.
    pub(super) fn forget(&self) {
        self.has_seen.store(false, Ordering::Relaxed);
    }
}

impl Server {
    pub(super) fn client(&self, link: Link) -> kube::Client {
        let server = self.clone();
        let service = tower::service_fn(move |request| {
            let (server, link) = (server.clone(), link.clone());
            async move {
                let weather = *link.weather.lock().unwrap();
                let answer = server.weathered(request, weather).await;
                if answer.status().is_success() {
                    link.has_seen.store(true, Ordering::Relaxed);
                }
                Ok::<_, std::convert::Infallible>(answer)
            }
        });
        kube::Client::new(service, "default")
    }

    /// What a user sees in the lease.
    pub(super) fn spec(&self) -> LeaseSpec {
        let lease = self.0.lock().unwrap().lease.clone();
        lease
            .expect("there is a lease")
            .spec
            .expect("it has a spec")
    }

    pub(super) fn holder(&self) -> String {
        self.spec().holder_identity.unwrap_or_default()
    }

    /// Changes the lease from outside, as another client would.
    pub(super) fn edit(&self, change: impl FnOnce(&mut Lease)) {
        let mut state = self.0.lock().unwrap();
        let mut lease = state.lease.take().unwrap_or_default();
        change(&mut lease);
        state.store(lease);
    }

    pub(super) fn delete(&self) {
        let mut state = self.0.lock().unwrap();
        state.is_deleted |= state.lease.take().is_some();
    }

    /// Whether there was a lease, and is none.
    pub(super) fn is_deleted(&self) -> bool {
        self.0.lock().unwrap().is_deleted
    }

    /// The methods of all requests since this was last asked.
    pub(super) fn requests(&self) -> Vec<String> {
        std::mem::take(&mut self.0.lock().unwrap().requests)
    }

    async fn weathered(&self, request: Request<Body>, weather: Weather) -> Response<Body> {
        let (there, back) = match weather {
            Weather::Fine => (Duration::ZERO, Duration::ZERO),
            Weather::Refused(code) => return refusal(code),
            Weather::Lost => std::future::pending().await,
            Weather::Unanswered => (Duration::ZERO, Duration::from_secs(1_000_000)),
            Weather::Slow { there, back } => (there, back),
        };
        let (sender, answer) = oneshot::channel();
        let server = self.clone();
        tokio::spawn(async move {
            sleep(there).await;
            let answer = server.serve(request).await;
            sleep(back).await;
            sender.send(answer).ok();
        });
        answer.await.expect("the server answers in the end")
    }

    async fn serve(&self, request: Request<Body>) -> Response<Body> {
        let (parts, body) = request.into_parts();
        let body = body.collect().await.unwrap().to_bytes();
        let mut state = self.0.lock().unwrap();
        state.requests.push(parts.method.to_string());
        let named = format!("{PATH}/{NAME}");
        match (&parts.method, parts.uri.path()) {
            (&Method::GET, path) if path == named => state.get(),
            (&Method::POST, PATH) => state.create(serde_json::from_slice(&body).unwrap()),
            (&Method::PUT, path) if path == named => {
                state.replace(serde_json::from_slice(&body).unwrap())
            }
            other => panic!("a request that no election needs: {other:?}"),
        }
    }
}

impl State {
    fn get(&self) -> Response<Body> {
        self.lease.as_ref().map_or_else(|| refusal(404), json)
    }

    fn create(&mut self, lease: Lease) -> Response<Body> {
        match self.lease {
            Some(_) => refusal(409),
            None => self.store(lease),
        }
    }

    fn replace(&mut self, lease: Lease) -> Response<Body> {
        let Some(stored) = &self.lease else {
            return refusal(404);
        };
        if lease.metadata.resource_version == stored.metadata.resource_version {
            self.store(lease)
        } else {
            refusal(409)
        }
    }

    fn store(&mut self, mut lease: Lease) -> Response<Body> {
        self.version += 1;
        self.is_deleted = false;
        lease.metadata.resource_version = Some(self.version.to_string());
        json(self.lease.insert(lease))
    }
}

fn refusal(code: u16) -> Response<Body> {
    let reason = match code {
        403 => "Forbidden",
        404 => "NotFound",
        409 => "Conflict",
        _ => "InternalError",
    };
    let status = Status::failure("refused by the test", reason).with_code(code);
    let mut response = json(&status);
    *response.status_mut() = code.try_into().unwrap();
    response
}

fn json(value: &impl Serialize) -> Response<Body> {
    Response::new(Body::from(serde_json::to_vec(value).unwrap()))
}
