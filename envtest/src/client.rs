//! kube clients for a control plane.

use kube::{
    Client, Config,
    config::{KubeConfigOptions, Kubeconfig},
};

use crate::{Environment, Error, ServiceAccount};

impl Environment {
    /// Returns a client with cluster-admin permissions.
    pub async fn client(&self) -> Result<Client, Error> {
        client(self.config().await?)
    }

    /// Returns a client that authenticates as a service account.
    pub async fn client_as(&self, account: &ServiceAccount) -> Result<Client, Error> {
        client(self.config_as(account).await?)
    }

    /// Returns the configuration of [`client`](Self::client), for a client with custom layers.
    pub async fn config(&self) -> Result<Config, Error> {
        config(&self.kubeconfig()).await
    }

    /// Returns the configuration of [`client_as`](Self::client_as).
    pub async fn config_as(&self, account: &ServiceAccount) -> Result<Config, Error> {
        config(&self.kubeconfig_as(account)).await
    }
}

fn client(config: Config) -> Result<Client, Error> {
    Client::try_from(config).map_err(|error| Error::Client(error.into()))
}

async fn config(kubeconfig: &str) -> Result<Config, Error> {
    let kubeconfig: Kubeconfig =
        serde_json::from_str(kubeconfig).map_err(|error| Error::Client(error.into()))?;
    let config = Config::from_custom_kubeconfig(kubeconfig, &KubeConfigOptions::default()).await;
    let mut config = config.map_err(|error| Error::Client(error.into()))?;
    // Ignores HTTPS_PROXY: the server is on loopback.
    config.proxy_url = None;
    Ok(config)
}
