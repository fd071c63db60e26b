//! The published Go modules of Kubernetes' types and documents.
//!
//! `go mod download` fetches them into the module cache.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};
use serde_json::{Deserializer, Value};

/// The module of the `OpenAPI` documents.
const KUBERNETES: &str = "k8s.io/kubernetes@v1.36.3";

/// The modules of the Go types: what `k8s.io/kubernetes` keeps in its staging directory is not part of that module.
const TYPES: &[&str] = &[
    "k8s.io/api@v0.36.3",
    "k8s.io/apiextensions-apiserver@v0.36.3",
    "k8s.io/apimachinery@v0.36.3",
    "k8s.io/kube-aggregator@v0.36.3",
];

/// Directories of the modules.
#[derive(Debug)]
pub(crate) struct Modules {
    /// The directory of `k8s.io/kubernetes`.
    kubernetes: PathBuf,
    /// Import path and directory of the modules with types.
    types: Vec<(String, PathBuf)>,
}

impl Modules {
    /// Downloads all modules.
    pub(crate) fn download() -> Result<Self> {
        let mut types = download(TYPES)?;
        types.append(&mut download(&[KUBERNETES])?);
        let (_, kubernetes) = types.pop().context("go printed no module")?;
        Ok(Self { kubernetes, types })
    }

    /// Returns the directory with one `OpenAPI` document for each group and version.
    pub(crate) fn documents(&self) -> PathBuf {
        self.kubernetes.join("api/openapi-spec/v3")
    }

    /// Returns the directory of a package, if it is in one of the modules.
    pub(crate) fn package(&self, import_path: &str) -> Option<PathBuf> {
        self.types.iter().find_map(|(module, dir)| {
            let rest = import_path.strip_prefix(module.as_str())?;
            Some(dir.join(rest.strip_prefix('/')?))
        })
    }
}

fn download(modules: &[&str]) -> Result<Vec<(String, PathBuf)>> {
    let output = Command::new("go")
        .args(["mod", "download", "-json"])
        .args(modules)
        .current_dir(std::env::temp_dir())
        .output()
        .context("failed to start go, which fetches the modules of Kubernetes")?;
    let mut dirs = Vec::new();
    for module in Deserializer::from_slice(&output.stdout).into_iter::<Value>() {
        let module = module.context("go mod download printed invalid JSON")?;
        if let Some(error) = module["Error"].as_str() {
            bail!("go mod download: {error}");
        }
        let path = module["Path"].as_str().context("a module has a path")?;
        let dir = module["Dir"].as_str().context("a module has a directory")?;
        dirs.push((path.to_owned(), Path::new(dir).to_owned()));
    }
    if dirs.len() != modules.len() {
        bail!(
            "go mod download {} failed:\n{}",
            modules.join(" "),
            String::from_utf8_lossy(&output.stderr)
        );
    }
    Ok(dirs)
}
