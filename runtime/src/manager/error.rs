//! Why an operator ends.

use std::{io, path::PathBuf};

use crate::{leader, log::AlreadySetUp, server::CertificateError};

/// Why an operator did not start, or ended without being asked to.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The log was set up already.
    #[error(transparent)]
    Log(#[from] AlreadySetUp),
    /// Signals cannot be listened to.
    #[error("cannot listen for signals")]
    Signals(#[source] io::Error),
    /// The file of `--kubeconfig` is no kubeconfig.
    #[error("--kubeconfig {path}: it is no kubeconfig that can be used", path = .path.display())]
    Kubeconfig {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        #[source]
        source: kube::config::KubeconfigError,
    },
    /// Neither a kubeconfig nor a service account was found.
    #[error(
        "no Kubernetes cluster is configured: name a kubeconfig with --kubeconfig or KUBECONFIG, or run in a pod"
    )]
    NoCluster(#[source] kube::config::InferConfigError),
    /// The client could not be made, or the API server gave no answer.
    #[error("the Kubernetes API does not answer")]
    NoAnswer(#[source] kube::Error),
    /// Leader election is asked for, and cannot be.
    #[error("leader election: {0}")]
    Election(#[from] leader::ConfigError),
    /// The thread that ends the process before its lease expires cannot be started.
    #[error("failed to start the watchdog thread of leader election")]
    Watchdog(#[source] io::Error),
    /// Another process listens there, or nobody may.
    #[error("cannot listen on {address}, which {flag} names")]
    Listen {
        /// The flag that names the address.
        flag: &'static str,
        /// The address.
        address: String,
        /// Why not.
        #[source]
        source: io::Error,
    },
    /// The certificate of the metrics server cannot be used.
    #[error("the certificate of the metrics server: {0}")]
    Certificate(#[from] CertificateError),
    /// Leadership was lost: another process may work now, so this one must not.
    #[error(transparent)]
    Lost(#[from] leader::Lost),
    /// A part that never ends by itself has ended.
    #[error("{part} ended by itself")]
    Ended {
        /// Which part.
        part: String,
        /// Why, if it is known.
        #[source]
        source: Option<Box<dyn std::error::Error + Send + Sync>>,
    },
    /// A signal came before the operator had started.
    #[error("asked to stop before it was connected to the cluster")]
    Stopped,
    /// A second signal came before everything was finished.
    #[error("ended by a second signal before all work was finished")]
    Interrupted,
}
