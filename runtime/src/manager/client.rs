//! The client of the Kubernetes API, from the flags.

use kube::{
    Client, Config,
    client::ClientBuilder,
    config::{KubeConfigOptions, Kubeconfig},
};

use super::Error;
use crate::{flags::Flags, metrics::Metrics};

/// Connects, and asks for the version: a wrong address shows now, and not in every watch.
pub(super) async fn connect(flags: &Flags, metrics: &Metrics) -> Result<Client, Error> {
    let config = match &flags.kubeconfig {
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
    let layer = metrics.client_layer(&config.cluster_url);
    let client = ClientBuilder::try_from(config)
        .map_err(Error::NoAnswer)?
        .with_layer(&layer)
        .build();
    let version = client.apiserver_version().await.map_err(Error::NoAnswer)?;
    tracing::info!(kubernetes = version.git_version, "connected");
    Ok(client)
}
