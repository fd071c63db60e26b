//! A client layer that records API calls.

use std::{
    collections::{BTreeMap, BTreeSet},
    pin::Pin,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    task::{Context, Poll},
};

use http::{Method, Request, Response, StatusCode, header::CONTENT_TYPE};
use kube::client::Body;
use serde_json::Value;
use tower::{Layer, Service};

use crate::Call;

/// Records calls, each once. Clones share their records.
#[derive(Clone, Debug, Default)]
pub(crate) struct Recorder(Arc<Mutex<Records>>);

#[derive(Debug, Default)]
struct Records {
    calls: BTreeSet<Call>,
    forbidden: BTreeSet<Call>,
    stale: BTreeSet<Call>,
    /// By object path: the newest resource version that a write of the operator replaced.
    replaced: BTreeMap<String, u64>,
}

impl Recorder {
    pub(crate) fn calls(&self) -> BTreeSet<Call> {
        self.lock().calls.clone()
    }

    /// Returns the calls that the API server rejected with 403.
    pub(crate) fn forbidden(&self) -> BTreeSet<Call> {
        self.lock().forbidden.clone()
    }

    /// Returns the writes that conflicted (409) with an earlier write of the operator itself.
    pub(crate) fn stale_writes(&self) -> BTreeSet<Call> {
        self.lock().stale.clone()
    }

    fn record(&self, call: Call) {
        self.lock().calls.insert(call);
    }

    // Nothing panics while the lock is held.
    fn lock(&self) -> MutexGuard<'_, Records> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<S> Layer<S> for Recorder {
    type Service = RecordingService<S>;

    fn layer(&self, inner: S) -> Self::Service {
        RecordingService {
            inner,
            recorder: self.clone(),
        }
    }
}

/// Service that records its requests.
#[derive(Clone, Debug)]
pub(crate) struct RecordingService<S> {
    inner: S,
    recorder: Recorder,
}

impl<S, A> Service<Request<Body>> for RecordingService<S>
where
    S: Service<Request<Body>, Response = Response<A>>,
    S::Future: Send + 'static,
{
    type Response = S::Response;
    type Error = S::Error;
    type Future = Pin<Box<dyn Future<Output = Result<Self::Response, Self::Error>> + Send>>;

    fn poll_ready(&mut self, context: &mut Context<'_>) -> Poll<Result<(), Self::Error>> {
        self.inner.poll_ready(context)
    }

    fn call(&mut self, request: Request<Body>) -> Self::Future {
        let call = Call::of(request.method(), request.uri());
        let creation = Creation::of(&request, &call);
        let write = Write::of(&request);
        self.recorder.record(call.clone());
        if creation == Creation::Always {
            self.recorder.record(call.clone().with_verb("create"));
        }
        let recorder = self.recorder.clone();
        let answer = self.inner.call(request);
        Box::pin(async move {
            let write = match write {
                Some(write) => write.base_version().await,
                None => None,
            };
            let replaced =
                |write: &VersionedWrite| recorder.lock().replaced.get(&write.object).copied();
            let is_stale = write
                .as_ref()
                .is_some_and(|write| replaced(write) >= Some(write.version));
            let answer = answer.await?;
            let status = answer.status();
            if status == StatusCode::FORBIDDEN {
                recorder.lock().forbidden.insert(call.clone());
            }
            if is_stale && status == StatusCode::CONFLICT {
                recorder.lock().stale.insert(call.clone());
            }
            if let Some(write) = write.filter(|_| status.is_success()) {
                let mut records = recorder.lock();
                let replaced = records.replaced.entry(write.object).or_default();
                *replaced = write.version.max(*replaced);
            }
            if creation.is_required(status) {
                recorder.record(call.with_verb("create"));
            }
            Ok(answer)
        })
    }
}

/// A write whose body may contain a resource version.
struct Write {
    object: String,
    body: Body,
}

/// A write based on a resource version.
struct VersionedWrite {
    object: String,
    version: u64,
}

impl Write {
    /// Returns `None` for an apply, which contains a version only to create.
    fn of(request: &Request<Body>) -> Option<Self> {
        let is_write = [Method::PATCH, Method::PUT].contains(request.method());
        if !is_write || is_apply(request) {
            return None;
        }
        let path = request.uri().path();
        Some(Self {
            object: path.strip_suffix("/status").unwrap_or(path).to_owned(),
            body: request.body().try_clone()?,
        })
    }

    async fn base_version(self) -> Option<VersionedWrite> {
        let body = self.body.collect_bytes().await.ok()?;
        let body: Value = serde_json::from_slice(&body).ok()?;
        let version = body["metadata"]["resourceVersion"].as_str()?;
        Some(VersionedWrite {
            object: self.object,
            version: version.parse().ok()?,
        })
    }
}

fn is_apply<Q>(request: &Request<Q>) -> bool {
    let kind = request.headers().get(CONTENT_TYPE);
    kind.is_some_and(|kind| kind.as_bytes().starts_with(b"application/apply-patch"))
}

/// Whether the API server also requires `create`, besides the verb of the request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Creation {
    Never,
    /// Streams to a pod.
    Always,
    /// An update that creates.
    Update,
    /// An apply that creates.
    Apply,
}

impl Creation {
    fn of<Q>(request: &Request<Q>, call: &Call) -> Self {
        const STREAMS: [&str; 3] = ["pods/attach", "pods/exec", "pods/portforward"];
        let Call::Resource { resource, .. } = call else {
            return Self::Never;
        };
        match *request.method() {
            Method::GET if STREAMS.contains(&resource.as_str()) => Self::Always,
            // Subresources exist with their object.
            _ if resource.contains('/') => Self::Never,
            Method::PUT => Self::Update,
            Method::PATCH if is_apply(request) => Self::Apply,
            _ => Self::Never,
        }
    }

    /// Returns whether a response shows that `create` is required. A forbidden apply may lack either verb, so it needs both.
    fn is_required(self, status: StatusCode) -> bool {
        match self {
            Self::Never | Self::Always => false,
            Self::Update => status == StatusCode::CREATED,
            Self::Apply => [StatusCode::CREATED, StatusCode::FORBIDDEN].contains(&status),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::{convert::Infallible, future::ready};

    use tower::service_fn;

    use super::*;

    const APPLY: &str = "application/apply-patch+yaml";

    /// Returns the recorded verbs of a request with this response.
    async fn verbs(method: Method, uri: &str, kind: &str, status: StatusCode) -> Vec<String> {
        let recorder = Recorder::default();
        let mut service = recorder.layer(service_fn(move |_: Request<Body>| {
            let answer = Response::builder().status(status).body(());
            ready(Ok::<_, Infallible>(answer.unwrap()))
        }));
        let request = Request::builder().method(method).uri(uri);
        let request = request.header(CONTENT_TYPE, kind).body(Body::empty());
        service.call(request.unwrap()).await.unwrap();
        let is_forbidden = status == StatusCode::FORBIDDEN;
        assert_eq!(recorder.forbidden().len(), usize::from(is_forbidden));
        let calls = recorder.calls();
        calls.iter().map(|call| call.verb().to_owned()).collect()
    }

    #[tokio::test]
    async fn an_apply_that_creates_requires_create() {
        let merge = "application/merge-patch+json";
        let object = "/api/v1/namespaces/a/configmaps/c";
        for (kind, status, expected) in [
            (APPLY, StatusCode::CREATED, &["create", "patch"][..]),
            (APPLY, StatusCode::FORBIDDEN, &["create", "patch"]),
            (APPLY, StatusCode::OK, &["patch"]),
            (merge, StatusCode::FORBIDDEN, &["patch"]),
        ] {
            assert_eq!(verbs(Method::PATCH, object, kind, status).await, expected);
        }
    }

    #[tokio::test]
    async fn a_subresource_is_never_created() {
        let status = "/api/v1/namespaces/a/services/s/status";
        let recorded = verbs(Method::PATCH, status, APPLY, StatusCode::FORBIDDEN).await;
        assert_eq!(recorded, ["patch"]);
    }

    #[tokio::test]
    async fn an_update_that_creates_requires_create() {
        let lease = "/apis/coordination.k8s.io/v1/namespaces/a/leases/l";
        let json = "application/json";
        let created = verbs(Method::PUT, lease, json, StatusCode::CREATED).await;
        assert_eq!(created, ["create", "update"]);
        let updated = verbs(Method::PUT, lease, json, StatusCode::OK).await;
        assert_eq!(updated, ["update"]);
    }

    #[tokio::test]
    async fn streams_to_pods_require_create() {
        let exec = "/api/v1/namespaces/a/pods/p/exec?command=ls";
        let recorded = verbs(Method::GET, exec, "", StatusCode::SWITCHING_PROTOCOLS).await;
        assert_eq!(recorded, ["create", "get"]);
    }

    #[tokio::test]
    async fn only_conflicts_with_own_writes_are_stale() {
        let recorder = Recorder::default();
        let status = "/apis/apps/v1/namespaces/a/deployments/d/status";
        let write = async |version: &str, answer: StatusCode| {
            let mut service = recorder.layer(service_fn(move |_: Request<Body>| {
                let answer = Response::builder().status(answer).body(());
                ready(Ok::<_, Infallible>(answer.unwrap()))
            }));
            let body = format!(r#"{{"metadata":{{"resourceVersion":"{version}"}}}}"#);
            let request = Request::patch(status).body(Body::from(body.into_bytes()));
            service.call(request.unwrap()).await.unwrap();
            recorder.stale_writes().len()
        };
        assert_eq!(write("4", StatusCode::CONFLICT).await, 0, "another writer");
        assert_eq!(write("5", StatusCode::OK).await, 0);
        assert_eq!(write("9", StatusCode::CONFLICT).await, 0, "another writer");
        assert_eq!(write("5", StatusCode::CONFLICT).await, 1);
    }
}
