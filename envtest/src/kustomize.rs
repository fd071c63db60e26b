//! The CRDs of a project as it deploys them: what `kubectl kustomize config/crd` makes of them, with the project's patches.
//!
//! kustomize would fetch remote resources, by HTTP or with git, and a project may be somebody else's. So kubectl runs with an environment of
//! its own: no `PATH` in which it would find git, and a proxy that nobody listens at. No flag allows plugins or Helm.

use std::{
    fs,
    path::{Path, PathBuf},
    process::Stdio,
    time::Duration,
};

use serde_json::Value;
use tokio::{process::Command, time::timeout};

use crate::{Binaries, Error};

/// The file that makes a folder one of kustomize's.
const KUSTOMIZATION: &str = "kustomization.yaml";

/// How long kubectl may take.
const PATIENCE: Duration = Duration::from_secs(60);

/// Where nobody listens: the discard port. Go asks no proxy for loopback, so servers of this machine can still be reached.
const NO_PROXY: &str = "http://127.0.0.1:9";

/// CRDs of a project.
#[derive(Debug, Default)]
pub struct Crds {
    /// The CRDs.
    pub documents: Vec<Value>,
    /// Why they lack the project's patches, if they do.
    pub warning: Option<String>,
}

impl Crds {
    /// Reads the CRDs of the folder `config/crd` of a project; none, if there is no such folder.
    ///
    /// They are what kubectl, from the folder of the binaries, builds with kustomize. Without kubectl they are those in `bases`, as
    /// `kb-rs generate` wrote them, with a warning.
    pub async fn of_project(folder: &Path, binaries: &Binaries) -> Result<Self, Error> {
        let bases = folder.join("bases");
        if !folder.join(KUSTOMIZATION).is_file() {
            return Ok(Self {
                documents: in_folder(&bases)?,
                warning: None,
            });
        }
        let kubectl = binaries.path("kubectl");
        if !kubectl.is_file() {
            let warning = format!(
                "{} does not exist: installing {} without the patches of {KUSTOMIZATION}",
                kubectl.display(),
                bases.display()
            );
            return Ok(Self {
                documents: in_folder(&bases)?,
                warning: Some(warning),
            });
        }
        let text = build(&kubectl, folder).await?;
        Ok(Self {
            documents: crds_in(&text, folder)?,
            warning: None,
        })
    }
}

async fn build(kubectl: &Path, folder: &Path) -> Result<String, Error> {
    let failed = |problem: String| Error::Kustomize {
        folder: folder.to_owned(),
        problem,
    };
    let mut command = Command::new(kubectl);
    command
        .arg("kustomize")
        .arg(folder)
        .env_clear()
        .envs(["HTTP_PROXY", "HTTPS_PROXY"].map(|name| (name, NO_PROXY)))
        .stdin(Stdio::null())
        .kill_on_drop(true);
    let output = timeout(PATIENCE, command.output())
        .await
        .map_err(|_| {
            failed(format!(
                "kubectl did not end within {} s",
                PATIENCE.as_secs()
            ))
        })?
        .map_err(|error| failed(format!("failed to start {}: {error}", kubectl.display())))?;
    if !output.status.success() {
        let said = String::from_utf8_lossy(&output.stderr);
        return Err(failed(said.trim().to_owned()));
    }
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

/// The CRDs in the files of a folder, in the order of their names.
fn in_folder(folder: &Path) -> Result<Vec<Value>, Error> {
    let Ok(entries) = fs::read_dir(folder) else {
        return Ok(Vec::new());
    };
    let mut paths: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    // No link: it may lead to a device without an end.
    let is_file = |path: &Path| fs::symlink_metadata(path).is_ok_and(|it| it.is_file());
    paths.retain(|path| path.extension().is_some_and(|it| it == "yaml") && is_file(path));
    paths.sort();
    let mut crds = Vec::new();
    for path in paths {
        let text = fs::read_to_string(&path).map_err(|source| Error::File {
            path: path.clone(),
            action: "read",
            source,
        })?;
        crds.extend(crds_in(&text, &path)?);
    }
    Ok(crds)
}

fn crds_in(text: &str, origin: &Path) -> Result<Vec<Value>, Error> {
    let documents: Vec<Value> =
        serde_saphyr::from_multiple(text).map_err(|error| Error::Kustomize {
            folder: origin.to_owned(),
            problem: error.to_string(),
        })?;
    let is_crd = |document: &Value| document["kind"] == "CustomResourceDefinition";
    Ok(documents.into_iter().filter(is_crd).collect())
}
