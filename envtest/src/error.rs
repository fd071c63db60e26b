//! Errors of the control plane.

use std::{io, path::PathBuf, time::Duration};

const INSTALL: &str = "run `kb-rs envtest use` to download them, or set KUBEBUILDER_ASSETS to their directory (in a checkout of kb-rs, \
                       `make control-plane` builds them)";
const OTHER_KUBECONFIG: &str = "choose another path or remove it";

/// Error of a control plane.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The binaries were not found.
    #[error("etcd and kube-apiserver not found in {}: {}", list(searched), INSTALL)]
    NotFound {
        /// Searched directories.
        searched: Vec<PathBuf>,
    },
    /// Binaries are missing from a directory.
    #[error("{} not found in {}{}", missing.join(" and "), dir.display(), in_parentheses(origin))]
    Incomplete {
        /// Directory.
        dir: PathBuf,
        /// How the directory was chosen; empty if unknown.
        origin: &'static str,
        /// Missing binaries.
        missing: Vec<&'static str>,
    },
    /// An I/O operation failed.
    #[error("failed to {action} {}", path.display())]
    File {
        /// File or directory.
        path: PathBuf,
        /// Operation, as a verb.
        action: &'static str,
        /// Cause.
        #[source]
        source: io::Error,
    },
    /// A kubeconfig exists and may belong to a real cluster.
    #[error("{} exists and was not written by kb-rs envtest: {}", path.display(), OTHER_KUBECONFIG)]
    KubeconfigExists {
        /// File.
        path: PathBuf,
    },
    /// No port is free.
    #[error("no free port on 127.0.0.1")]
    NoPort(#[source] io::Error),
    /// Certificate generation failed.
    #[error("failed to generate the certificates of the control plane")]
    Certificates(#[source] Box<dyn std::error::Error + Send + Sync>),
    /// A server exited unexpectedly.
    #[error("{server} exited ({status}); end of its log {}:\n{tail}", log.display())]
    Exited {
        /// Name of the server.
        server: &'static str,
        /// Exit status.
        status: String,
        /// Log file.
        log: PathBuf,
        /// Last lines of the log.
        tail: String,
    },
    /// A server did not become ready.
    #[error("{server} is not ready after {after:?}; end of its log {}:\n{tail}", log.display())]
    NotReady {
        /// Name of the server.
        server: &'static str,
        /// Timeout.
        after: Duration,
        /// Log file.
        log: PathBuf,
        /// Last lines of the log.
        tail: String,
    },
    /// A request failed without a response.
    #[error("{request}: no response from the API server")]
    NoResponse {
        /// Method and path.
        request: String,
        /// Cause.
        #[source]
        source: Box<dyn std::error::Error + Send + Sync>,
    },
    /// The API server rejected a request.
    #[error("{request}: rejected by the API server: {message}")]
    Rejected {
        /// Method and path.
        request: String,
        /// Message of the API server.
        message: String,
    },
    /// An object is invalid.
    #[error("invalid {document}: {problem}")]
    InvalidObject {
        /// Kind and name, as far as known.
        document: String,
        /// Problem.
        problem: String,
    },
    /// An applied object did not take effect.
    #[error("{what} did not take effect within {after:?}: {problem}")]
    NotEffective {
        /// Kind and name.
        what: String,
        /// Timeout.
        after: Duration,
        /// Last problem.
        problem: String,
    },
    /// The operator made API calls that its roles do not allow.
    #[cfg(feature = "client")]
    #[error(
        "the operator made API calls that its roles do not allow:\n{calls}\n\
         Add these markers to the code that makes the calls and run `kb-rs generate rbac`:\n{rules}"
    )]
    UndeclaredCalls {
        /// Calls, one per line.
        calls: String,
        /// Markers that allow them, one per line.
        rules: String,
    },
    /// The operator did not reach an expected state.
    #[cfg(feature = "client")]
    #[error(
        "timed out after {after:?} waiting for: {what}{}",
        list_forbidden(forbidden)
    )]
    TimedOut {
        /// Expected state.
        what: String,
        /// Timeout.
        after: Duration,
        /// Calls that were forbidden although the roles allow them, for example by an admission plugin.
        forbidden: Vec<String>,
    },
    /// RBAC manifests are invalid.
    #[cfg(feature = "client")]
    #[error("invalid RBAC manifests in {}: {problem}", path.display())]
    Manifests {
        /// Directory or file.
        path: PathBuf,
        /// Problem.
        problem: String,
    },
    /// Building the CRDs of a project failed.
    #[error("failed to build the CRDs in {}: {problem}", path.display())]
    Kustomize {
        /// Directory of the kustomization, or a file in it.
        path: PathBuf,
        /// Problem.
        problem: String,
    },
    /// The API server is stopped.
    #[error("the API server is stopped: call `start_api_server` first")]
    Stopped,
    /// kube failed to create a client.
    #[cfg(feature = "client")]
    #[error("failed to create a kube client")]
    Client(#[source] Box<dyn std::error::Error + Send + Sync>),
}

impl Error {
    /// Returns the hint at the end of the message, if any.
    pub fn help(&self) -> Option<&'static str> {
        match self {
            Self::NotFound { .. } => Some(INSTALL),
            Self::KubeconfigExists { .. } => Some(OTHER_KUBECONFIG),
            _ => None,
        }
    }
}

#[cfg(feature = "client")]
fn list_forbidden(calls: &[String]) -> String {
    if calls.is_empty() {
        return String::new();
    }
    format!("\nForbidden by the API server: {}", calls.join("; "))
}

fn in_parentheses(origin: &str) -> String {
    if origin.is_empty() {
        return String::new();
    }
    format!(" ({origin})")
}

fn list(dirs: &[PathBuf]) -> String {
    let names: Vec<_> = dirs.iter().map(|dir| dir.display().to_string()).collect();
    names.join(", ")
}
