//! Client layer that counts requests to the API server.

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

/// Layer that counts the requests of a client; see [`Metrics::client_layer`](super::Metrics::client_layer).
#[derive(Debug, Clone)]
pub struct MetricsLayer {
    requests: RequestMetrics,
    host: Arc<str>,
}

impl<S> Layer<S> for MetricsLayer {
    type Service = MetricsService<S>;

    fn layer(&self, inner: S) -> Self::Service {
        MetricsService {
            inner,
            layer: self.clone(),
        }
    }
}

/// Service of [`MetricsLayer`].
#[derive(Debug, Clone)]
pub struct MetricsService<S> {
    inner: S,
    layer: MetricsLayer,
}

impl<S, Q, A> Service<Request<Q>> for MetricsService<S>
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
        let MetricsLayer { requests, host } = self.layer.clone();
        let method = method(request.method());
        let response = self.inner.call(request);
        Box::pin(async move {
            let response = response.await;
            let code = Code(
                response
                    .as_ref()
                    .ok()
                    .map(|response| response.status().as_u16()),
            );
            requests
                .counts
                .get_or_create(&Labels { code, method, host })
                .inc();
            response
        })
    }
}

/// Maps methods that Kubernetes does not use to one value, so that the number of series is bounded.
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

/// Status code of a response, `None` if there was none.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
struct Code(Option<u16>);

impl EncodeLabelValue for Code {
    fn encode(&self, encoder: &mut LabelValueEncoder<'_>) -> Result<(), std::fmt::Error> {
        match self.0 {
            Some(status) => write!(encoder, "{status}"),
            // As in client-go.
            None => encoder.write_str("<error>"),
        }
    }
}

/// Request metrics of all clients.
#[derive(Debug, Clone, Default)]
pub(super) struct RequestMetrics {
    counts: Family<Labels, Counter>,
}

impl RequestMetrics {
    pub(super) fn layer(&self, server: &Uri) -> MetricsLayer {
        // Not the authority, which may include a password.
        let host = server.host().unwrap_or_default();
        let host = match server.port() {
            Some(port) => format!("{host}:{port}"),
            None => host.to_owned(),
        };
        MetricsLayer {
            requests: self.clone(),
            host: host.into(),
        }
    }

    pub(super) fn register(&self, registry: &mut Registry) {
        let help = "Number of HTTP requests, partitioned by status code, method, and host";
        registry.register("rest_client_requests", help, self.counts.clone());
    }
}
