//! What a control plane is to have, before it starts.

use std::{
    io::{self, Write},
    path::PathBuf,
};

use serde::Serialize;
use serde_json::Value;

use crate::{Binaries, Crds, Environment, Error, documents};

/// What an [`Environment`] is to have. The default is etcd and kube-apiserver, and nothing in it.
#[derive(Debug, Default)]
pub struct Builder {
    binaries: Option<PathBuf>,
    controller_manager: bool,
    documents: Vec<Result<Vec<Value>, Error>>,
    projects: Vec<PathBuf>,
}

impl Builder {
    /// Takes the binaries from this folder, and not from where [`Binaries`] looks.
    #[must_use]
    pub fn binaries(self, folder: impl Into<PathBuf>) -> Self {
        let binaries = Some(folder.into());
        Self { binaries, ..self }
    }

    /// Installs CRDs, and waits until they are served: as kube's type, or as documents read from files.
    #[must_use]
    pub fn crds<D: Serialize>(mut self, crds: impl IntoIterator<Item = D>) -> Self {
        self.documents.push(documents::to_values(crds));
        self
    }

    /// Installs the CRDs of a project as it deploys them, and waits until they are served: `folder` is its `config/crd`.
    ///
    /// They are what `kubectl kustomize` builds, with the project's patches; see [`Crds::of_project`].
    #[must_use]
    pub fn crds_from(mut self, folder: impl Into<PathBuf>) -> Self {
        self.projects.push(folder.into());
        self
    }

    /// Starts kube-controller-manager as well: garbage collection, namespaces that go, service accounts, Deployments that make `ReplicaSets`.
    #[must_use]
    pub fn controller_manager(self, wanted: bool) -> Self {
        Self {
            controller_manager: wanted,
            ..self
        }
    }

    /// Starts it, and waits until it serves.
    pub async fn start(self) -> Result<Environment, Error> {
        let mut documents: Vec<_> = self.documents.into_iter().collect::<Result<_, _>>()?;
        let binaries = match self.binaries {
            Some(folder) => Binaries::at(folder)?,
            None => Binaries::find()?,
        };
        for folder in self.projects {
            let crds = Crds::of_project(&folder, &binaries).await?;
            if let Some(warning) = crds.warning {
                // Past the test harness, which hides what a test that passes prints.
                let _ = writeln!(io::stderr(), "warning: {warning}");
            }
            documents.push(crds.documents);
        }
        Environment::start(binaries, self.controller_manager, &documents.concat()).await
    }
}
