//! Serves `/metrics`.

use std::{io, sync::Arc};

use axum::{
    Router,
    extract::State,
    response::{IntoResponse, Response},
    routing::any,
};
use http::{
    HeaderMap, Method, StatusCode,
    header::{ALLOW, CONTENT_TYPE, RETRY_AFTER, WWW_AUTHENTICATE},
};
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;

use super::{
    Certificates,
    access::{Access, Refusal},
    connections::{self, Requests},
};
use crate::metrics::Metrics;

/// Where metrics are, and what a reader needs the permission for.
const PATH: &str = "/metrics";

/// How metrics are served.
pub enum MetricsServing {
    /// Over HTTP, to everyone who reaches the port.
    Http,
    /// Over HTTPS, to those whose bearer token the API server knows and allows to `get` the URL `/metrics`.
    ///
    /// The operator needs `create` on `tokenreviews` in `authentication.k8s.io` and `subjectaccessreviews` in `authorization.k8s.io`.
    Https {
        /// What clients are shown.
        certificates: Certificates,
        /// How the API server is asked.
        client: kube::Client,
    },
}

/// Answers `GET /metrics` as `OpenMetrics` text until `shutdown`.
pub async fn serve_metrics(
    listener: TcpListener,
    metrics: Metrics,
    serving: MetricsServing,
    shutdown: CancellationToken,
) -> Result<(), io::Error> {
    let address = listener.local_addr()?;
    let (access, certificates) = match serving {
        MetricsServing::Http => (None, None),
        MetricsServing::Https {
            certificates,
            client,
        } => (Some(Access::new(client)), Some(certificates)),
    };
    tracing::info!(%address, secure = certificates.is_some(), "Metrics are served.");
    let endpoint = Endpoint { metrics, access };
    let router = Router::new()
        .route(PATH, any(answer))
        .with_state(Arc::new(endpoint));
    let certificates = certificates.as_ref();
    connections::serve(listener, router, certificates, Requests::Many, shutdown).await;
    Ok(())
}

struct Endpoint {
    metrics: Metrics,
    access: Option<Access>,
}

async fn answer(
    State(endpoint): State<Arc<Endpoint>>,
    method: Method,
    headers: HeaderMap,
) -> Response {
    // Not left to axum: it would answer HEAD too, which is no verb that anyone is permitted.
    if method != Method::GET {
        return (StatusCode::METHOD_NOT_ALLOWED, [(ALLOW, "GET")]).into_response();
    }
    if let Some(access) = &endpoint.access
        && let Err(refusal) = access.check(&headers, PATH).await
    {
        return refusal.into_response();
    }
    match endpoint.metrics.render() {
        Ok(text) => {
            let open_metrics = "application/openmetrics-text; version=1.0.0; charset=utf-8";
            ([(CONTENT_TYPE, open_metrics)], text).into_response()
        }
        Err(error) => {
            tracing::error!(%error, "Metrics cannot be written. A metric of the operator's own fails to encode itself.");
            StatusCode::INTERNAL_SERVER_ERROR.into_response()
        }
    }
}

impl IntoResponse for Refusal {
    fn into_response(self) -> Response {
        match self {
            Self::Unauthenticated => (
                StatusCode::UNAUTHORIZED,
                [(WWW_AUTHENTICATE, "Bearer")],
                "Unauthorized\n",
            )
                .into_response(),
            Self::Forbidden { user } => (
                StatusCode::FORBIDDEN,
                format!("User {user:?} may not get the URL {PATH}.\n"),
            )
                .into_response(),
            Self::Busy => (
                StatusCode::SERVICE_UNAVAILABLE,
                [(RETRY_AFTER, "1")],
                "Too many requests are under review.\n",
            )
                .into_response(),
            Self::Unknown => (
                StatusCode::SERVICE_UNAVAILABLE,
                "The API server cannot be asked who you are.\n",
            )
                .into_response(),
        }
    }
}
