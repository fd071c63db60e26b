//! A layer around kube's client that notes every call. It passes everything on as it is.

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

/// What was called, each call once. Clones note together.
#[derive(Clone, Debug, Default)]
pub(crate) struct Recorder(Arc<Mutex<Noted>>);

#[derive(Debug, Default)]
struct Noted {
    calls: BTreeSet<Call>,
    refused: BTreeSet<Call>,
    stale: BTreeSet<Call>,
    /// By the path of an object, the newest of its versions that a write of the operator has replaced.
    replaced: BTreeMap<String, u64>,
}

impl Recorder {
    /// What was called up to now.
    pub(crate) fn calls(&self) -> BTreeSet<Call> {
        self.lock().calls.clone()
    }

    /// Those that the API server answered with "forbidden".
    pub(crate) fn refused(&self) -> BTreeSet<Call> {
        self.lock().refused.clone()
    }

    /// Those that had to conflict (409), because they were computed from a version that the operator itself had replaced.
    pub(crate) fn stale_writes(&self) -> BTreeSet<Call> {
        self.lock().stale.clone()
    }

    fn note(&self, call: Call) {
        self.lock().calls.insert(call);
    }

    /// Nothing panics while it is held.
    fn lock(&self) -> MutexGuard<'_, Noted> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<S> Layer<S> for Recorder {
    type Service = Recorded<S>;

    fn layer(&self, inner: S) -> Self::Service {
        Recorded {
            inner,
            recorder: self.clone(),
        }
    }
}

/// A client whose calls are noted.
#[derive(Clone, Debug)]
pub(crate) struct Recorded<S> {
    inner: S,
    recorder: Recorder,
}

impl<S, A> Service<Request<Body>> for Recorded<S>
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
        self.recorder.note(call.clone());
        if creation == Creation::Always {
            self.recorder.note(call.clone().with_verb("create"));
        }
        let recorder = self.recorder.clone();
        let answer = self.inner.call(request);
        Box::pin(async move {
            let write = match write {
                Some(write) => write.based().await,
                None => None,
            };
            let replaced = |write: &Based| recorder.lock().replaced.get(&write.object).copied();
            let is_stale = write
                .as_ref()
                .is_some_and(|write| replaced(write) >= Some(write.version));
            let answer = answer.await?;
            let status = answer.status();
            if status == StatusCode::FORBIDDEN {
                recorder.lock().refused.insert(call.clone());
            }
            if is_stale && status == StatusCode::CONFLICT {
                recorder.lock().stale.insert(call.clone());
            }
            if let Some(write) = write.filter(|_| status.is_success()) {
                let mut noted = recorder.lock();
                let replaced = noted.replaced.entry(write.object).or_default();
                *replaced = write.version.max(*replaced);
            }
            if creation.happened(status) {
                recorder.note(call.with_verb("create"));
            }
            Ok(answer)
        })
    }
}

/// A write whose body may name the version of the object that it was computed from.
struct Write {
    object: String,
    body: Body,
}

/// A write that names it.
struct Based {
    object: String,
    version: u64,
}

impl Write {
    /// None for an apply: it names a version only to create.
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

    async fn based(self) -> Option<Based> {
        let body = self.body.collect_bytes().await.ok()?;
        let body: Value = serde_json::from_slice(&body).ok()?;
        let version = body["metadata"]["resourceVersion"].as_str()?;
        Some(Based {
            object: self.object,
            version: version.parse().ok()?,
        })
    }
}

fn is_apply<Q>(request: &Request<Q>) -> bool {
    let kind = request.headers().get(CONTENT_TYPE);
    kind.is_some_and(|kind| kind.as_bytes().starts_with(b"application/apply-patch"))
}

/// Whether the API server asks for `create`, besides the verb of the request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Creation {
    Never,
    /// Streams to a pod.
    Always,
    /// An update of what is not there.
    Updated,
    /// An apply of what is not there.
    Applied,
}

impl Creation {
    fn of<Q>(request: &Request<Q>, call: &Call) -> Self {
        const STREAMS: [&str; 3] = ["pods/attach", "pods/exec", "pods/portforward"];
        let Call::Resource { resource, .. } = call else {
            return Self::Never;
        };
        match *request.method() {
            Method::GET if STREAMS.contains(&resource.as_str()) => Self::Always,
            // A subresource is part of something that is there.
            _ if resource.contains('/') => Self::Never,
            Method::PUT => Self::Updated,
            Method::PATCH if is_apply(request) => Self::Applied,
            _ => Self::Never,
        }
    }

    /// Whether it is known by this answer. What an apply that is refused lacks is either of its verbs: it needs both.
    fn happened(self, status: StatusCode) -> bool {
        match self {
            Self::Never | Self::Always => false,
            Self::Updated => status == StatusCode::CREATED,
            Self::Applied => [StatusCode::CREATED, StatusCode::FORBIDDEN].contains(&status),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::{convert::Infallible, future::ready};

    use tower::service_fn;

    use super::*;

    const APPLY: &str = "application/apply-patch+yaml";

    /// What is noted of a request that is answered so.
    async fn verbs(method: Method, uri: &str, kind: &str, status: StatusCode) -> Vec<String> {
        let recorder = Recorder::default();
        let mut service = recorder.layer(service_fn(move |_: Request<Body>| {
            let answer = Response::builder().status(status).body(());
            ready(Ok::<_, Infallible>(answer.unwrap()))
        }));
        let request = Request::builder().method(method).uri(uri);
        let request = request.header(CONTENT_TYPE, kind).body(Body::empty());
        service.call(request.unwrap()).await.unwrap();
        let is_refused = status == StatusCode::FORBIDDEN;
        assert_eq!(recorder.refused().len(), usize::from(is_refused));
        let calls = recorder.calls();
        calls.iter().map(|call| call.verb().to_owned()).collect()
    }

    #[tokio::test]
    async fn an_apply_that_creates_needs_create_too() {
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
        let noted = verbs(Method::PATCH, status, APPLY, StatusCode::FORBIDDEN).await;
        assert_eq!(noted, ["patch"]);
    }

    #[tokio::test]
    async fn an_update_that_creates_needs_create_too() {
        let lease = "/apis/coordination.k8s.io/v1/namespaces/a/leases/l";
        let json = "application/json";
        let made = verbs(Method::PUT, lease, json, StatusCode::CREATED).await;
        assert_eq!(made, ["create", "update"]);
        let updated = verbs(Method::PUT, lease, json, StatusCode::OK).await;
        assert_eq!(updated, ["update"]);
    }

    #[tokio::test]
    async fn a_stream_to_a_pod_needs_create_too() {
        let exec = "/api/v1/namespaces/a/pods/p/exec?command=ls";
        let noted = verbs(Method::GET, exec, "", StatusCode::SWITCHING_PROTOCOLS).await;
        assert_eq!(noted, ["create", "get"]);
    }

    #[tokio::test]
    async fn a_conflict_counts_if_the_operator_itself_replaced_the_version() {
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
