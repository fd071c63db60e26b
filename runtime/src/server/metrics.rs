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
    authorization::{Authorizer, Rejection},
    connections::{self, KeepAlive},
};
use crate::metrics::Metrics;

/// Path of the metrics, for which a reader needs permission.
const PATH: &str = "/metrics";

/// How to serve metrics.
pub enum MetricsServing {
    /// Over HTTP, without authentication.
    Http,
    /// Over HTTPS, to clients whose bearer token the API server authenticates and authorizes to `get` the non-resource URL `/metrics`.
    ///
    /// The operator needs `create` on `tokenreviews` (`authentication.k8s.io`) and `subjectaccessreviews` (`authorization.k8s.io`).
    Https {
        /// Server certificate.
        certificates: Certificates,
        /// Client for the reviews.
        client: kube::Client,
    },
}

/// Serves `GET /metrics` as `OpenMetrics` text until `shutdown` is canceled. Pending responses get a few seconds to finish.
///
/// # Errors
///
/// Returns an error if `listener` has no local address.
pub async fn serve_metrics(
    listener: TcpListener,
    metrics: Metrics,
    serving: MetricsServing,
    shutdown: CancellationToken,
) -> Result<(), io::Error> {
    let address = listener.local_addr()?;
    let (authorizer, certificates) = match serving {
        MetricsServing::Http => (None, None),
        MetricsServing::Https {
            certificates,
            client,
        } => (Some(Authorizer::new(client)), Some(certificates)),
    };
    tracing::info!(%address, secure = certificates.is_some(), "metrics server listening");
    let endpoint = Endpoint {
        metrics,
        authorizer,
    };
    let router = Router::new()
        .route(PATH, any(respond))
        .with_state(Arc::new(endpoint));
    let certificates = certificates.as_ref();
    connections::serve(listener, router, certificates, KeepAlive::Enabled, shutdown).await;
    Ok(())
}

struct Endpoint {
    metrics: Metrics,
    authorizer: Option<Authorizer>,
}

async fn respond(
    State(endpoint): State<Arc<Endpoint>>,
    method: Method,
    headers: HeaderMap,
) -> Response {
    // axum would also serve HEAD, which no RBAC verb covers.
    if method != Method::GET {
        return (StatusCode::METHOD_NOT_ALLOWED, [(ALLOW, "GET")]).into_response();
    }
    if let Some(authorizer) = &endpoint.authorizer
        && let Err(rejection) = authorizer.check(&headers, PATH).await
    {
        return rejection.into_response();
    }
    match endpoint.metrics.render() {
        Ok(text) => {
            let open_metrics = "application/openmetrics-text; version=1.0.0; charset=utf-8";
            ([(CONTENT_TYPE, open_metrics)], text).into_response()
        }
        Err(error) => {
            tracing::error!(%error, "failed to encode metrics");
            StatusCode::INTERNAL_SERVER_ERROR.into_response()
        }
    }
}

impl IntoResponse for Rejection {
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
                format!("user {user:?} cannot get path {PATH:?}\n"),
            )
                .into_response(),
            Self::TooManyReviews => (
                StatusCode::SERVICE_UNAVAILABLE,
                [(RETRY_AFTER, "1")],
                "too many concurrent reviews\n",
            )
                .into_response(),
            Self::ReviewFailed => (
                StatusCode::SERVICE_UNAVAILABLE,
                "authentication or authorization review failed\n",
            )
                .into_response(),
        }
    }
}
