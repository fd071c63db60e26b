//! A control plane with the CRD of the operators' kind, and the way to it.

use anyhow::{Context, Result};
use kb_envtest::{Binaries, Environment, KubeconfigFile};
use kube::Client;
use serde_json::Value;
use tempfile::TempDir;

/// A control plane that runs. It ends when this is dropped.
pub(crate) struct Plane {
    pub(crate) environment: Environment,
    /// As the administrator.
    pub(crate) client: Client,
    /// The same, for the operators.
    pub(crate) kubeconfig: KubeconfigFile,
    /// Where the operators run and log.
    pub(crate) folder: TempDir,
}

impl Plane {
    /// Starts one.
    pub(crate) async fn start(crd: &Value) -> Result<Self> {
        let environment = Environment::builder().crds([crd]).start().await;
        let environment = environment.context("the control plane does not start")?;
        let folder = TempDir::new().context("cannot make a temporary folder")?;
        Ok(Self {
            client: environment.client().await?,
            kubeconfig: environment.write_kubeconfig(&folder.path().join("kubeconfig"))?,
            folder,
            environment,
        })
    }

    /// Fails where there are no binaries for one, and says how to get them: before anything is built.
    pub(crate) fn check() -> Result<()> {
        Binaries::find().context("there is no control plane: `make control-plane` builds one")?;
        Ok(())
    }
}
