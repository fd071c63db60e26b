//! In-memory API server with a single Lease, and client links with injected faults.

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

/// The server. Clones share its state.
#[derive(Clone, Default)]
pub(super) struct Server(Arc<Mutex<State>>);

#[derive(Default)]
struct State {
    lease: Option<Lease>,
    is_deleted: bool,
    version: u64,
    requests: Vec<String>,
}

/// Fault injected into the requests of one client.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) enum Network {
    #[default]
    Healthy,
    /// The server responds with this status and does nothing.
    Error(u16),
    /// Requests are lost.
    RequestsDropped,
    /// Requests arrive, responses are lost.
    ResponsesDropped,
    /// Requests and responses are delayed, even after the client has given up.
    Slow {
        request: Duration,
        response: Duration,
    },
}

/// Connection from one client to the server.
#[derive(Clone, Default)]
pub(super) struct Link {
    network: Arc<Mutex<Network>>,
    has_seen_lease: Arc<AtomicBool>,
}

impl Link {
    pub(super) fn set(&self, network: Network) {
        *self.network.lock().unwrap() = network;
    }

    /// Returns whether the client has received a lease.
    pub(super) fn has_seen_lease(&self) -> bool {
        self.has_seen_lease.load(Ordering::Relaxed)
    }

    /// Resets the state for a new client.
    pub(super) fn forget(&self) {
        self.has_seen_lease.store(false, Ordering::Relaxed);
    }
}

impl Server {
    pub(super) fn client(&self, link: Link) -> kube::Client {
        let server = self.clone();
        let service = tower::service_fn(move |request| {
            let (server, link) = (server.clone(), link.clone());
            async move {
                let network = *link.network.lock().unwrap();
                let answer = server.respond(request, network).await;
                if answer.status().is_success() {
                    link.has_seen_lease.store(true, Ordering::Relaxed);
                }
                Ok::<_, std::convert::Infallible>(answer)
            }
        });
        kube::Client::new(service, "default")
    }

    /// Returns the spec of the stored lease.
    pub(super) fn spec(&self) -> LeaseSpec {
        let lease = self.0.lock().unwrap().lease.clone();
        lease.expect("lease exists").spec.expect("lease has a spec")
    }

    pub(super) fn holder(&self) -> String {
        self.spec().holder_identity.unwrap_or_default()
    }

    /// Changes the lease as another client would.
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

    /// Returns whether the lease existed and was deleted.
    pub(super) fn is_deleted(&self) -> bool {
        self.0.lock().unwrap().is_deleted
    }

    /// Returns the methods of all requests since the last call.
    pub(super) fn requests(&self) -> Vec<String> {
        std::mem::take(&mut self.0.lock().unwrap().requests)
    }

    async fn respond(&self, request: Request<Body>, network: Network) -> Response<Body> {
        let (request_delay, response_delay) = match network {
            Network::Healthy => (Duration::ZERO, Duration::ZERO),
            Network::Error(code) => return error_response(code),
            Network::RequestsDropped => std::future::pending().await,
            Network::ResponsesDropped => (Duration::ZERO, Duration::from_secs(1_000_000)),
            Network::Slow {
                request: request_delay,
                response: response_delay,
            } => (request_delay, response_delay),
        };
        let (sender, answer) = oneshot::channel();
        let server = self.clone();
        tokio::spawn(async move {
            sleep(request_delay).await;
            let answer = server.serve(request).await;
            sleep(response_delay).await;
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
            other => panic!("unexpected request: {other:?}"),
        }
    }
}

impl State {
    fn get(&self) -> Response<Body> {
        self.lease
            .as_ref()
            .map_or_else(|| error_response(404), json)
    }

    fn create(&mut self, lease: Lease) -> Response<Body> {
        match self.lease {
            Some(_) => error_response(409),
            None => self.store(lease),
        }
    }

    fn replace(&mut self, lease: Lease) -> Response<Body> {
        let Some(stored) = &self.lease else {
            return error_response(404);
        };
        if lease.metadata.resource_version == stored.metadata.resource_version {
            self.store(lease)
        } else {
            error_response(409)
        }
    }

    fn store(&mut self, mut lease: Lease) -> Response<Body> {
        self.version += 1;
        self.is_deleted = false;
        lease.metadata.resource_version = Some(self.version.to_string());
        json(self.lease.insert(lease))
    }
}

fn error_response(code: u16) -> Response<Body> {
    let reason = match code {
        403 => "Forbidden",
        404 => "NotFound",
        409 => "Conflict",
        _ => "InternalError",
    };
    let status = Status::failure("injected error", reason).with_code(code);
    let mut response = json(&status);
    *response.status_mut() = code.try_into().unwrap();
    response
}

fn json(value: &impl Serialize) -> Response<Body> {
    Response::new(Body::from(serde_json::to_vec(value).unwrap()))
}
