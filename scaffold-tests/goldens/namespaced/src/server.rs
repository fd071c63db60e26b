//! Serves /healthz and /readyz for the kubelet, and /metrics for Prometheus.
//!
//! Both probes say that the process runs, not that its watches do.

use axum::{
    Router,
    extract::State,
    http::{StatusCode, header::CONTENT_TYPE},
    response::IntoResponse,
    routing::get,
};
use prometheus_client::{
    encoding::{EncodeLabelSet, text},
    metrics::{counter::Counter, family::Family},
    registry::Registry,
};
use tokio::net::TcpListener;

use crate::controller::Context;

/// What the controllers count.
#[derive(Clone, Default)]
pub struct Metrics {
    reconciles: Family<Reconcile, Counter>,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct Reconcile {
    controller: &'static str,
    result: &'static str,
}

impl Metrics {
    /// Counts one call of a controller's `reconcile`.
    pub fn reconciled(&self, controller: &'static str, succeeded: bool) {
        let result = if succeeded { "success" } else { "error" };
        self.reconciles
            .get_or_create(&Reconcile { controller, result })
            .inc();
    }

    /// All metrics in the OpenMetrics text format.
    pub fn render(&self) -> Result<String, std::fmt::Error> {
        let mut registry = Registry::default();
        registry.register(
            "controller_runtime_reconcile",
            "Reconciliations by controller and result",
            self.reconciles.clone(),
        );
        let mut rendered = String::new();
        text::encode(&mut rendered, &registry)?;
        Ok(rendered)
    }
}

/// Serves until the operator is asked to stop.
pub async fn run(listener: TcpListener, context: Context) -> anyhow::Result<()> {
    let shutdown = context.shutdown.clone().cancelled_owned();
    let router = Router::new()
        .route("/healthz", get(|| async { "ok" }))
        .route("/readyz", get(|| async { "ok" }))
        .route("/metrics", get(metrics))
        .with_state(context);
    axum::serve(listener, router)
        .with_graceful_shutdown(shutdown)
        .await?;
    Ok(())
}

async fn metrics(State(context): State<Context>) -> impl IntoResponse {
    let format = "application/openmetrics-text; version=1.0.0; charset=utf-8";
    match context.metrics.render() {
        Ok(rendered) => Ok(([(CONTENT_TYPE, format)], rendered)),
        Err(_) => Err(StatusCode::INTERNAL_SERVER_ERROR),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reconciles_are_counted_by_controller_and_result() {
        let metrics = Metrics::default();
        metrics.reconciled("example", true);
        metrics.reconciled("example", true);
        metrics.reconciled("example", false);

        let rendered = metrics.render().unwrap();
        for line in [
            r#"controller_runtime_reconcile_total{controller="example",result="success"} 2"#,
            r#"controller_runtime_reconcile_total{controller="example",result="error"} 1"#,
        ] {
            assert!(rendered.contains(line), "no {line} in:\n{rendered}");
        }
    }
}
