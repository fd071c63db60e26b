//! A real control plane for tests: etcd and kube-apiserver, and kube-controller-manager where it is asked for, on loopback.
//!
//! Neither Go nor Docker nor a cluster is needed, only the binaries (see [`Binaries`]). RBAC is on: an [`Operator`] under test is a service
//! account with its own roles and nothing more, and its calls are compared with them. Several environments run side by side; each takes a
//! few seconds to start, so the tests of a program may have one [together](Shared).
//!
//! ```no_run
//! # #[cfg(feature = "client")]
//! # async fn example() -> Result<(), Box<dyn std::error::Error>> {
//! use kb_envtest::Environment;
//!
//! // The CRDs of a project as it deploys them, patches included.
//! let environment = Environment::builder().crds_from("config/crd").start().await?;
//! let admin = environment.client().await?;
//!
//! // A service account with the roles in config/rbac, and no other. Give `operator.client()` to the operator.
//! let operator = environment.operator("shop-system", "config/rbac").await?;
//! // ...
//! // What it called is what its roles declare.
//! operator.check()?;
//! # Ok(())
//! # }
//! ```
//!
//! All of it ends when the [`Environment`] is dropped, also by a panic. On Unix it ends as well when the process is killed: each server has a
//! shell beside it that waits for that. When a test panics or waits in vain, when its operator calls what it may not, or when a server ends by
//! itself, the logs of the servers stay, and their folder is printed.

mod account;
mod api;
mod binaries;
mod builder;
mod cache;
#[cfg(feature = "client")]
mod call;
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
mod kustomize;
#[cfg(feature = "client")]
mod manifests;
#[cfg(feature = "client")]
mod operator;
mod platform;
mod process;
#[cfg(feature = "client")]
mod recorder;
#[cfg(feature = "client")]
mod recording;
#[cfg(feature = "client")]
mod rule;
mod servers;
mod shared;
mod skip;
mod small_file;
#[cfg(feature = "client")]
mod undeclared;
mod version;
mod webhooks;

pub use account::ServiceAccount;
pub use binaries::Binaries;
pub use builder::Builder;
pub use cache::{Cache, Installed};
#[cfg(feature = "client")]
pub use call::Call;
pub use environment::Environment;
pub use error::Error;
pub use kubeconfig::KubeconfigFile;
pub use kustomize::Crds;
#[cfg(feature = "client")]
pub use operator::Operator;
pub use platform::{Platform, PlatformError};
pub use shared::Shared;
pub use skip::{report_skipped, skip};
pub use version::{Version, VersionError, Wanted};
pub use webhooks::WebhookServer;
