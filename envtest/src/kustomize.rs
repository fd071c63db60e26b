//! Builds the CRDs of a project with `kubectl kustomize config/crd`, including its patches.
//!
//! The project may be untrusted, and kustomize fetches remote resources by HTTP or git. So kubectl runs without `PATH`, where it would find
//! git, and with an unreachable proxy. Plugins and Helm stay disabled.

use std::{
    fs,
    path::{Path, PathBuf},
    process::Stdio,
    time::Duration,
};

use serde_json::Value;
use tokio::{process::Command, time::timeout};

use crate::{Binaries, Error};

const KUSTOMIZATION: &str = "kustomization.yaml";

/// Timeout of kubectl.
const TIMEOUT: Duration = Duration::from_secs(60);

/// The discard port, where nothing listens. Go bypasses proxies for loopback addresses.
const UNREACHABLE_PROXY: &str = "http://127.0.0.1:9";

/// CRDs of a project.
#[derive(Debug, Default)]
pub struct Crds {
    /// CRDs.
    pub documents: Vec<Value>,
    /// Explains why the project's patches are not applied.
    pub warning: Option<String>,
}

impl Crds {
    /// Builds the CRDs in `config/crd` of a project, with kubectl from the directory of the binaries. Returns no CRDs if the directory does not
    /// exist.
    ///
    /// Without kubectl, returns the CRDs in `bases`, as written by `kb-rs generate`, and a warning.
    pub async fn build(folder: &Path, binaries: &Binaries) -> Result<Self, Error> {
        let bases = folder.join("bases");
        if !folder.join(KUSTOMIZATION).is_file() {
            return Ok(Self {
                documents: read_dir(&bases)?,
                warning: None,
            });
        }
        let kubectl = binaries.path("kubectl");
        if !kubectl.is_file() {
            let warning = format!(
                "{} not found: installing {} without the patches of {KUSTOMIZATION}",
                kubectl.display(),
                bases.display()
            );
            return Ok(Self {
                documents: read_dir(&bases)?,
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
        path: folder.to_owned(),
        problem,
    };
    let mut command = Command::new(kubectl);
    command
        .arg("kustomize")
        .arg(folder)
        .env_clear()
        .envs(["HTTP_PROXY", "HTTPS_PROXY"].map(|name| (name, UNREACHABLE_PROXY)))
        .stdin(Stdio::null())
        .kill_on_drop(true);
    let output = timeout(TIMEOUT, command.output())
        .await
        .map_err(|_| failed(format!("kubectl timed out after {} s", TIMEOUT.as_secs())))?
        .map_err(|error| failed(format!("failed to start {}: {error}", kubectl.display())))?;
    if !output.status.success() {
        let stderr = String::from_utf8_lossy(&output.stderr);
        return Err(failed(stderr.trim().to_owned()));
    }
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

/// Reads the CRDs in a directory, sorted by file name.
fn read_dir(folder: &Path) -> Result<Vec<Value>, Error> {
    let Ok(entries) = fs::read_dir(folder) else {
        return Ok(Vec::new());
    };
    let mut paths: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    // Symlinks may lead to endless devices.
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
            path: origin.to_owned(),
            problem: error.to_string(),
        })?;
    let is_crd = |document: &Value| document["kind"] == "CustomResourceDefinition";
    Ok(documents.into_iter().filter(is_crd).collect())
}
