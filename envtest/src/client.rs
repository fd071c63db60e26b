//! kube's clients of a control plane.

use kube::{
    Client, Config,
    config::{KubeConfigOptions, Kubeconfig},
};

use crate::{Environment, Error, ServiceAccount};

impl Environment {
    /// A client as the administrator, who may do everything.
    pub async fn client(&self) -> Result<Client, Error> {
        client(self.config().await?)
    }

    /// A client as a service account, which may do what its rules say.
    pub async fn client_as(&self, account: &ServiceAccount) -> Result<Client, Error> {
        client(self.config_as(account).await?)
    }

    /// What [`client`](Self::client) is made of, for a client with layers of one's own.
    pub async fn config(&self) -> Result<Config, Error> {
        config(&self.kubeconfig()).await
    }

    /// What [`client_as`](Self::client_as) is made of.
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
    // No proxy leads to this machine, whatever the environment says.
    config.proxy_url = None;
    Ok(config)
}
