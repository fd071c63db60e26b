//! Counts what kube's client asks the API server.
//!
//! A layer around the client's service: it looks at method and status and passes everything on as it is.

use std::{
    fmt::Write,
    sync::Arc,
    task::{Context, Poll},
};

use futures::future::BoxFuture;
use http::{Method, Request, Response, Uri};
use prometheus_client::{
    encoding::{EncodeLabelSet, EncodeLabelValue, LabelValueEncoder},
    metrics::{counter::Counter, family::Family},
    registry::Registry,
};
use tower::{Layer, Service};

/// Counts the requests of a client: see [`Metrics::client_layer`](super::Metrics::client_layer).
#[derive(Debug, Clone)]
pub struct ClientLayer {
    requests: RequestCounts,
    host: Arc<str>,
}

impl<S> Layer<S> for ClientLayer {
    type Service = CountedClient<S>;

    fn layer(&self, inner: S) -> Self::Service {
        CountedClient {
            inner,
            layer: self.clone(),
        }
    }
}

/// A client whose requests are counted.
#[derive(Debug, Clone)]
pub struct CountedClient<S> {
    inner: S,
    layer: ClientLayer,
}

impl<S, Q, A> Service<Request<Q>> for CountedClient<S>
where
    S: Service<Request<Q>, Response = Response<A>>,
    S::Future: Send + 'static,
{
    type Response = S::Response;
    type Error = S::Error;
    type Future = BoxFuture<'static, Result<S::Response, S::Error>>;

    fn poll_ready(&mut self, context: &mut Context<'_>) -> Poll<Result<(), Self::Error>> {
        self.inner.poll_ready(context)
    }

    fn call(&mut self, request: Request<Q>) -> Self::Future {
        let ClientLayer { requests, host } = self.layer.clone();
        let method = method(request.method());
        let answer = self.inner.call(request);
        Box::pin(async move {
            let answer = answer.await;
            let code = Code(answer.as_ref().ok().map(|answer| answer.status().as_u16()));
            requests
                .counts
                .get_or_create(&Labels { code, method, host })
                .inc();
            answer
        })
    }
}

/// The methods that Kubernetes knows. Others are one, so that the number of series is bounded.
fn method(method: &Method) -> &'static str {
    match *method {
        Method::GET => "GET",
        Method::POST => "POST",
        Method::PUT => "PUT",
        Method::PATCH => "PATCH",
        Method::DELETE => "DELETE",
        _ => "OTHER",
    }
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct Labels {
    code: Code,
    method: &'static str,
    host: Arc<str>,
}

/// The status of an answer, or none if the server could not be asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
struct Code(Option<u16>);

impl EncodeLabelValue for Code {
    fn encode(&self, encoder: &mut LabelValueEncoder<'_>) -> Result<(), std::fmt::Error> {
        match self.0 {
            Some(status) => write!(encoder, "{status}"),
            // client-go's word for it.
            None => encoder.write_str("<error>"),
        }
    }
}

/// The requests of all clients.
#[derive(Debug, Clone, Default)]
pub(super) struct RequestCounts {
    counts: Family<Labels, Counter>,
}

impl RequestCounts {
    pub(super) fn layer(&self, server: &Uri) -> ClientLayer {
        // Not the whole authority: it may hold a password.
        let host = server.host().unwrap_or_default();
        let host = match server.port() {
            Some(port) => format!("{host}:{port}"),
            None => host.to_owned(),
        };
        ClientLayer {
            requests: self.clone(),
            host: host.into(),
        }
    }

    pub(super) fn register(&self, registry: &mut Registry) {
        let help = "Requests to the API server, by status, method and host";
        registry.register("rest_client_requests", help, self.counts.clone());
    }
}
