//! Kubernetes client of the manager.

use std::time::Duration;

use http::Response;
use kube::{
    Client, Config,
    config::{KubeConfigOptions, Kubeconfig},
};
use tower::util::{AndThenLayer, MapResponseLayer};

use super::{
    Error,
    connection::Keepalive,
    idle_timeout::IdleTimeoutLayer,
    retry_after::{keep_retry_after, retry_while_overloaded},
    warnings::Warnings,
};
use crate::{flags::Flags, metrics::Metrics};

/// Idle timeout of a response. The server ends a watch after at most 295 seconds.
const IDLE_TIMEOUT: Duration = Duration::from_secs(300);

fn is_local(host: Option<&str>) -> bool {
    matches!(host, Some("127.0.0.1" | "localhost" | "[::1]"))
}

/// Connects and requests the version, so that a wrong address fails here instead of in every watch.
pub(super) async fn connect(flags: &Flags, metrics: &Metrics) -> Result<Client, Error> {
    let mut config = match &flags.kubeconfig {
        None => Config::infer().await.map_err(Error::NoCluster)?,
        Some(path) => {
            let error = |source| Error::Kubeconfig {
                path: path.clone(),
                source,
            };
            let kubeconfig = Kubeconfig::read_from(path).map_err(error)?;
            let options = KubeConfigOptions::default();
            Config::from_custom_kubeconfig(kubeconfig, &options)
                .await
                .map_err(error)?
        }
    };
    // Never use a proxy for this machine, whatever the environment says.
    if is_local(config.cluster_url.host()) {
        config.proxy_url = None;
    }
    // The work queue retries instead, without blocking a worker.
    config.default_retry = false;
    let metrics_layer = metrics.client_layer(&config.cluster_url);
    let warnings = Warnings::new();
    let log_warnings = move |response: Response<_>| {
        warnings.log_new(response.headers());
        response
    };
    let client = Keepalive::DEFAULT
        .client_builder(config)
        .map_err(Error::Connect)?
        .with_layer(&IdleTimeoutLayer(IDLE_TIMEOUT))
        .with_layer(&AndThenLayer::new(keep_retry_after))
        .with_layer(&metrics_layer)
        .with_layer(&MapResponseLayer::new(log_warnings))
        .build();
    let version = retry_while_overloaded(|| client.apiserver_version()).await;
    let version = version.map_err(Error::Connect)?;
    tracing::info!(kubernetes = version.git_version, "connected to API server");
    Ok(client)
}
