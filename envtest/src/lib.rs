//! A real control plane for tests: etcd, kube-apiserver and optionally kube-controller-manager, on loopback.
//!
//! Needs the binaries (see [`Binaries`]), but no Go, Docker or cluster. RBAC is enabled: an [`Operator`] under test runs as a service account
//! with exactly its own roles, and its API calls are compared with them. Environments can run in parallel. Each takes a few seconds to
//! start, so the tests of a program can [share](SharedEnvironment) one.
//!
//! ```no_run
//! # #[cfg(feature = "client")]
//! # async fn example() -> Result<(), Box<dyn std::error::Error>> {
//! use kb_envtest::Environment;
//!
//! // The CRDs as the project deploys them, including its kustomize patches.
//! let environment = Environment::builder().crds_from("config/crd").start().await?;
//! let admin = environment.client().await?;
//!
//! // A service account with exactly the roles in config/rbac. Pass `operator.client()` to the manager under test.
//! let operator = environment.operator("shop-system", "config/rbac").await?;
//! // ...
//! // Fails if it called anything that its roles do not declare.
//! operator.check()?;
//! # Ok(())
//! # }
//! ```
//!
//! Dropping the [`Environment`] stops all servers, also during a panic. On Unix they stop even if the process is killed: a watcher shell
//! runs next to each server. If a test panics or times out, if its operator makes an undeclared call, or if a server exits, the server logs
//! are kept and their directory is printed.

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
mod environment_dir;
mod error;
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
pub use cache::{Cache, Installation};
#[cfg(feature = "client")]
pub use call::Call;
pub use environment::Environment;
pub use error::Error;
pub use kubeconfig::KubeconfigFile;
pub use kustomize::Crds;
#[cfg(feature = "client")]
pub use operator::Operator;
pub use platform::{Platform, PlatformError};
pub use shared::SharedEnvironment;
pub use skip::{report_skipped, skip};
pub use version::{Version, VersionError, VersionSelector};
pub use webhooks::WebhookServer;
