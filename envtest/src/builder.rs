//! Configures and starts a control plane.

use std::{
    io::{self, Write},
    path::PathBuf,
};

use serde::Serialize;
use serde_json::Value;

use crate::{Binaries, Crds, Environment, Error, documents};

/// Configures an [`Environment`]. The default is etcd and kube-apiserver, without CRDs.
#[derive(Debug, Default)]
pub struct Builder {
    binaries: Option<PathBuf>,
    controller_manager: bool,
    documents: Vec<Result<Vec<Value>, Error>>,
    projects: Vec<PathBuf>,
}

impl Builder {
    /// Sets the directory of the binaries, instead of searching for it as described at [`Binaries`].
    #[must_use]
    pub fn binaries(self, folder: impl Into<PathBuf>) -> Self {
        let binaries = Some(folder.into());
        Self { binaries, ..self }
    }

    /// Installs CRDs, typed or as parsed YAML, and waits until they are served.
    #[must_use]
    pub fn crds<D: Serialize>(mut self, crds: impl IntoIterator<Item = D>) -> Self {
        self.documents.push(documents::to_values(crds));
        self
    }

    /// Installs the CRDs built by `kubectl kustomize` in a project's `config/crd`, including its patches, and waits until they are served. See
    /// [`Crds::build`].
    #[must_use]
    pub fn crds_from(mut self, folder: impl Into<PathBuf>) -> Self {
        self.projects.push(folder.into());
        self
    }

    /// Also starts kube-controller-manager: garbage collection, namespace deletion, service accounts and the workload controllers.
    #[must_use]
    pub fn controller_manager(self, enabled: bool) -> Self {
        Self {
            controller_manager: enabled,
            ..self
        }
    }

    /// Starts the control plane and waits until it is ready.
    pub async fn start(self) -> Result<Environment, Error> {
        let mut documents: Vec<_> = self.documents.into_iter().collect::<Result<_, _>>()?;
        let binaries = match self.binaries {
            Some(folder) => Binaries::at(folder)?,
            None => Binaries::find()?,
        };
        for folder in self.projects {
            let crds = Crds::build(&folder, &binaries).await?;
            if let Some(warning) = crds.warning {
                // Bypasses the test harness, which captures the output of passing tests.
                let _ = writeln!(io::stderr(), "warning: {warning}");
            }
            documents.push(crds.documents);
        }
        Environment::start(binaries, self.controller_manager, &documents.concat()).await
    }
}
