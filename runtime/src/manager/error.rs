//! Errors of the manager.

use std::{io, path::PathBuf};

use crate::{leader, log::AlreadyInitialized, server::CertificateError};

/// Why the manager failed to start or stopped unexpectedly.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// A global tracing subscriber is already set.
    #[error(transparent)]
    Log(#[from] AlreadyInitialized),
    /// Signal handlers could not be installed.
    #[error("failed to install signal handlers")]
    Signals(#[source] io::Error),
    /// `--kubeconfig` could not be loaded.
    #[error("failed to load kubeconfig {path}", path = .path.display())]
    Kubeconfig {
        /// The file.
        path: PathBuf,
        /// The cause.
        #[source]
        source: kube::config::KubeconfigError,
    },
    /// Neither a kubeconfig nor a service account was found.
    #[error(
        "no cluster configuration found: pass --kubeconfig, set KUBECONFIG, or run in a Pod with a service account"
    )]
    NoCluster(#[source] kube::config::InferConfigError),
    /// The client could not be created, or the API server did not respond.
    #[error("failed to connect to the Kubernetes API")]
    Connect(#[source] kube::Error),
    /// Invalid leader election settings.
    #[error(transparent)]
    LeaderElection(#[from] leader::ConfigError),
    /// The watchdog thread of leader election could not be started.
    #[error("failed to start the watchdog thread of leader election")]
    Watchdog(#[source] io::Error),
    /// The address of a server is in use or not permitted.
    #[error("failed to listen on {address} ({flag})")]
    Listen {
        /// Flag that sets the address.
        flag: &'static str,
        /// The address.
        address: String,
        /// The cause.
        #[source]
        source: io::Error,
    },
    /// The certificate of the metrics server could not be loaded.
    #[error("failed to load the metrics certificate")]
    Certificate(#[from] CertificateError),
    /// This process is no longer the leader and must not continue.
    #[error(transparent)]
    LeadershipLost(#[from] leader::LeadershipLost),
    /// A task that should run until shutdown has exited.
    #[error("{task} exited unexpectedly")]
    TaskExited {
        /// Name of the task.
        task: String,
        /// The cause, if known.
        #[source]
        source: Option<Box<dyn std::error::Error + Send + Sync>>,
    },
    /// A signal arrived before the operator was connected.
    #[error("stopped before connecting to the cluster")]
    Stopped,
    /// A second signal arrived before shutdown was complete.
    #[error("interrupted by a second signal before shutdown was complete")]
    Interrupted,
}
