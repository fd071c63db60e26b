//! A real control plane for tests: etcd and kube-apiserver, and kube-controller-manager where it is asked for, on loopback.
//!
//! Neither Go nor Docker nor a cluster is needed, only the binaries (see [`Binaries`]). RBAC is on, and an operator under test can be a
//! service account with its own role and nothing more. Several environments run side by side; each takes a few seconds to start.
//!
//! ```no_run
//! # #[cfg(feature = "client")]
//! # async fn example() -> Result<(), Box<dyn std::error::Error>> {
//! use kb_envtest::Environment;
//! use serde_json::json;
//!
//! # let crds = [json!({})];
//! let environment = Environment::builder().crds(crds).start().await?;
//! let admin = environment.client().await?;
//!
//! let role = json!({
//!     "apiVersion": "rbac.authorization.k8s.io/v1", "kind": "ClusterRole", "metadata": {"name": "shop"},
//!     "rules": [{"apiGroups": [""], "resources": ["configmaps"], "verbs": ["list", "watch"]}],
//! });
//! let account = environment.service_account("shop-system", "shop", [role]).await?;
//! let operator = environment.client_as(&account).await?;
//! # Ok(())
//! # }
//! ```
//!
//! All of it ends when the [`Environment`] is dropped, also by a panic. On Unix it ends as well when the process is killed: each server has a
//! shell beside it that waits for that. On failure the logs of the servers stay, and their folder is printed.

mod account;
mod api;
mod binaries;
mod builder;
mod cache;
mod certificates;
#[cfg(feature = "client")]
mod client;
mod documents;
#[cfg(feature = "download")]
pub mod download;
mod environment;
mod error;
mod folder;
mod kubeconfig;
mod platform;
mod process;
mod servers;
mod version;

pub use account::ServiceAccount;
pub use binaries::Binaries;
pub use builder::Builder;
pub use cache::{Cache, Installed};
pub use environment::Environment;
pub use error::Error;
pub use kubeconfig::KubeconfigFile;
pub use platform::{Platform, PlatformError};
pub use version::{Version, VersionError, Wanted};
