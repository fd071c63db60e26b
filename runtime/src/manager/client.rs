//! The client of the Kubernetes API, from the flags.

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
    overload::{keep_retry_after, until_available},
    silence::Silence,
    warnings::Warnings,
};
use crate::{flags::Flags, metrics::Metrics};

/// How long a server may say nothing before it counts as dead. A watch is silent for up to 295 seconds.
const SILENCE: Duration = Duration::from_secs(300);

fn is_local(host: Option<&str>) -> bool {
    matches!(host, Some("127.0.0.1" | "localhost" | "[::1]"))
}

/// Connects, and asks for the version: a wrong address shows now, and not in every watch.
pub(super) async fn connect(flags: &Flags, metrics: &Metrics) -> Result<Client, Error> {
    let mut config = match &flags.kubeconfig {
        None => Config::infer().await.map_err(Error::NoCluster)?,
        Some(path) => {
            let unusable = |source| Error::Kubeconfig {
                path: path.clone(),
                source,
            };
            let kubeconfig = Kubeconfig::read_from(path).map_err(unusable)?;
            let options = KubeConfigOptions::default();
            Config::from_custom_kubeconfig(kubeconfig, &options)
                .await
                .map_err(unusable)?
        }
    };
    // No proxy leads to this machine, whatever the environment says.
    if is_local(config.cluster_url.host()) {
        config.proxy_url = None;
    }
    // The work queue retries, and meanwhile the worker is free.
    config.default_retry = false;
    let counts = metrics.client_layer(&config.cluster_url);
    let warnings = Warnings::new();
    let look = move |answer: Response<_>| {
        warnings.say(answer.headers());
        answer
    };
    let client = Keepalive::DEFAULT
        .client_builder(config)
        .map_err(Error::NoAnswer)?
        .with_layer(&Silence(SILENCE))
        .with_layer(&AndThenLayer::new(keep_retry_after))
        .with_layer(&counts)
        .with_layer(&MapResponseLayer::new(look))
        .build();
    let version = until_available(|| client.apiserver_version()).await;
    let version = version.map_err(Error::NoAnswer)?;
    tracing::info!(kubernetes = version.git_version, "connected");
    Ok(client)
}
