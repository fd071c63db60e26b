//! A layer around kube's client that notes every call. It passes everything on as it is.

use std::{
    collections::BTreeSet,
    pin::Pin,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    task::{Context, Poll},
};

use http::{Method, Request, Response, StatusCode, header::CONTENT_TYPE};
use tower::{Layer, Service};

use crate::Call;

/// What was called, each call once. Clones note together.
#[derive(Clone, Debug, Default)]
pub(crate) struct Recorder(Arc<Mutex<BTreeSet<Call>>>);

impl Recorder {
    /// What was called up to now.
    pub(crate) fn calls(&self) -> BTreeSet<Call> {
        self.lock().clone()
    }

    fn note(&self, call: Call) {
        self.lock().insert(call);
    }

    /// Nothing panics while it is held.
    fn lock(&self) -> MutexGuard<'_, BTreeSet<Call>> {
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

impl<S, Q, A> Service<Request<Q>> for Recorded<S>
where
    S: Service<Request<Q>, Response = Response<A>>,
    S::Future: Send + 'static,
{
    type Response = S::Response;
    type Error = S::Error;
    type Future = Pin<Box<dyn Future<Output = Result<Self::Response, Self::Error>> + Send>>;

    fn poll_ready(&mut self, context: &mut Context<'_>) -> Poll<Result<(), Self::Error>> {
        self.inner.poll_ready(context)
    }

    fn call(&mut self, request: Request<Q>) -> Self::Future {
        let call = Call::of(request.method(), request.uri());
        let may_create = may_create(&request);
        self.recorder.note(call.clone());
        let recorder = self.recorder.clone();
        let answer = self.inner.call(request);
        Box::pin(async move {
            let answer = answer.await?;
            // What an apply that is refused lacks is either of its verbs: it needs both.
            let creates = [StatusCode::CREATED, StatusCode::FORBIDDEN].contains(&answer.status());
            if may_create && creates {
                recorder.note(call.with_verb("create"));
            }
            Ok(answer)
        })
    }
}

/// Whether a request is an apply, which creates what is not there: the API server asks for `create` then, too.
fn may_create<Q>(request: &Request<Q>) -> bool {
    let kind = request.headers().get(CONTENT_TYPE);
    let is_apply = |kind: &[u8]| kind.starts_with(b"application/apply-patch");
    request.method() == Method::PATCH && kind.is_some_and(|kind| is_apply(kind.as_bytes()))
}

#[cfg(test)]
mod tests {
    use std::{convert::Infallible, future::ready};

    use tower::service_fn;

    use super::*;

    /// What is noted of a patch that is answered so.
    async fn verbs(kind: &str, status: StatusCode) -> Vec<String> {
        let recorder = Recorder::default();
        let mut service = recorder.layer(service_fn(move |_: Request<()>| {
            let answer = Response::builder().status(status).body(());
            ready(Ok::<_, Infallible>(answer.unwrap()))
        }));
        let request =
            Request::patch("/api/v1/namespaces/a/configmaps/c").header(CONTENT_TYPE, kind);
        service.call(request.body(()).unwrap()).await.unwrap();
        let calls = recorder.calls();
        calls.iter().map(|call| call.verb().to_owned()).collect()
    }

    #[tokio::test]
    async fn an_apply_that_creates_needs_create_too() {
        let (apply, merge) = (
            "application/apply-patch+yaml",
            "application/merge-patch+json",
        );
        assert_eq!(verbs(apply, StatusCode::CREATED).await, ["create", "patch"]);
        assert_eq!(
            verbs(apply, StatusCode::FORBIDDEN).await,
            ["create", "patch"]
        );
        assert_eq!(verbs(apply, StatusCode::OK).await, ["patch"]);
        assert_eq!(verbs(merge, StatusCode::FORBIDDEN).await, ["patch"]);
    }
}
