//! Why there is no control plane, or why it did not do what it was asked for.

use std::{io, path::PathBuf, time::Duration};

/// Why a control plane could not be started or used.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The binaries are nowhere.
    #[error(
        "there is no etcd and kube-apiserver to test with: none in {}. Run `kb-rs envtest use`, which downloads them, or set \
         KUBEBUILDER_ASSETS to their folder; in a checkout of kb-rs, `make control-plane` builds them",
        list(looked_in)
    )]
    NotFound {
        /// Where they were looked for.
        looked_in: Vec<PathBuf>,
    },
    /// The folder of the binaries lacks some.
    #[error("{} ({origin}) has no {}. Name a folder with all binaries", folder.display(), missing.join(" and no "))]
    Incomplete {
        /// The folder.
        folder: PathBuf,
        /// Why it was looked at.
        origin: &'static str,
        /// What it lacks.
        missing: Vec<&'static str>,
    },
    /// A file or folder could not be read or written.
    #[error("{} cannot be {action}", path.display())]
    File {
        /// The file or folder.
        path: PathBuf,
        /// What was tried.
        action: &'static str,
        /// Why not.
        #[source]
        source: io::Error,
    },
    /// A kubeconfig is not replaced: it may be the way to a real cluster.
    #[error("{} is a file of somebody else. Name one that does not exist, or remove it", path.display())]
    ForeignKubeconfig {
        /// The file.
        path: PathBuf,
    },
    /// The API server needs a port.
    #[error("there is no free port on 127.0.0.1")]
    NoPort(#[source] io::Error),
    /// The certificates could not be made.
    #[error("the certificates of the control plane cannot be made")]
    Certificates(#[source] Box<dyn std::error::Error + Send + Sync>),
    /// A server ended by itself.
    #[error("{server} ended ({status}). Its log is {}:\n{tail}", log.display())]
    Ended {
        /// The server.
        server: &'static str,
        /// How it ended.
        status: String,
        /// Where its log is.
        log: PathBuf,
        /// The end of it.
        tail: String,
    },
    /// A server did not get ready.
    #[error("{server} is not ready after {after:?}. Its log is {}:\n{tail}", log.display())]
    NotReady {
        /// The server.
        server: &'static str,
        /// How long it was waited for.
        after: Duration,
        /// Where its log is.
        log: PathBuf,
        /// The end of it.
        tail: String,
    },
    /// The API server gave no answer.
    #[error("{request}: the API server does not answer")]
    NoAnswer {
        /// What was asked for.
        request: String,
        /// Why not.
        #[source]
        source: Box<dyn std::error::Error + Send + Sync>,
    },
    /// The API server refused.
    #[error("{request}: the API server refuses it: {message}")]
    Refused {
        /// What was asked for.
        request: String,
        /// What it says.
        message: String,
    },
    /// A document is no Kubernetes object.
    #[error("{document} is no Kubernetes object: {problem}")]
    Document {
        /// As much of it as is known.
        document: String,
        /// What is wrong with it.
        problem: String,
    },
    /// What was applied did not take effect in time.
    #[error("{what} did not take effect within {after:?}: {problem}")]
    NoEffect {
        /// What was applied.
        what: String,
        /// How long it was waited for.
        after: Duration,
        /// How it stands.
        problem: String,
    },
    /// The operator made calls that its roles do not allow.
    #[cfg(feature = "client")]
    #[error(
        "the operator made calls that its roles do not declare:\n{calls}\n\
         Put this on the code that makes them, unless it is there already, and run `kb-rs generate rbac`:\n{rules}"
    )]
    Undeclared {
        /// The calls, one a line.
        calls: String,
        /// The rules that allow them, one a line.
        rules: String,
    },
    /// What the operator was to bring about did not happen.
    #[cfg(feature = "client")]
    #[error("waited for {after:?}, in vain: {what}{}", forbidden(refused))]
    InVain {
        /// What was waited for.
        what: String,
        /// How long.
        after: Duration,
        /// The calls of the operator that were forbidden though its roles allow them, as by an admission plugin.
        refused: Vec<String>,
    },
    /// A folder of manifests does not say what the operator may do.
    #[cfg(feature = "client")]
    #[error("{} does not say what the operator may do: {problem}", folder.display())]
    Manifests {
        /// The folder, or the file in it.
        folder: PathBuf,
        /// What is wrong with it.
        problem: String,
    },
    /// The CRDs of a project cannot be built.
    #[error("failed to build the CRDs of {}: {problem}", folder.display())]
    Kustomize {
        /// The folder of the kustomization, or the file in it.
        folder: PathBuf,
        /// What is wrong with it.
        problem: String,
    },
    /// The API server is stopped.
    #[error("the API server is stopped: call `start_api_server` first")]
    Stopped,
    /// kube makes no client of the kubeconfig.
    #[cfg(feature = "client")]
    #[error("kube cannot make a client")]
    Client(#[source] Box<dyn std::error::Error + Send + Sync>),
}

#[cfg(feature = "client")]
fn forbidden(calls: &[String]) -> String {
    if calls.is_empty() {
        return String::new();
    }
    format!("\nThe API server has forbidden: {}", calls.join("; "))
}

fn list(folders: &[PathBuf]) -> String {
    let names: Vec<_> = folders
        .iter()
        .map(|folder| folder.display().to_string())
        .collect();
    names.join(", ")
}
