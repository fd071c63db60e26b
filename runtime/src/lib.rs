//! Runtime library of Kubernetes operators scaffolded with kb-rs: CRDs from Rust types, and a runtime for controllers.
//!
//! An API consists of Rust types with attributes. Its crate depends only on `kb`:
//!
//! ```
//! use kb::k8s_openapi::apimachinery::pkg::apis::meta::v1::Condition;
//!
//! /// Runs an image behind a Service.
//! #[kb::resource(group = "batch.example.com", version = "v1alpha1", kind = "AppService", status = AppServiceStatus)]
//! pub struct AppServiceSpec {
//!     /// Pods to run.
//!     #[kb(minimum = 1, maximum = 10, default = 1, column)]
//!     pub replicas: i32,
//!     /// Image to run.
//!     pub image: Option<String>,
//! }
//!
//! /// Observed state of AppService.
//! #[kb::object]
//! pub struct AppServiceStatus {
//!     #[kb(column(name = "Ready"))]
//!     pub ready_replicas: Option<i32>,
//!     #[kb(optional, list_map_key = "type")]
//!     pub conditions: Vec<Condition>,
//! }
//!
//! let crd = AppService::crd();
//! assert_eq!(crd.metadata.name.as_deref(), Some("appservices.batch.example.com"));
//!
//! let object = AppService::new("shop", AppServiceSpec::default());
//! assert_eq!(object.spec.replicas, 1);
//! ```
//!
//! - [`#[kb::resource]`](macro@resource) on the spec of a kind generates the kind: `AppService` with metadata, spec and status. It implements
//!   kube's `Resource`, so it works with kube's `Api`.
//! - [`#[kb::object]`](macro@object) marks every other struct, enum or newtype of the schema.
//! - `#[kb(...)]` markers on fields and types set validation, defaults and printer columns; [`object`](macro@object) documents each with an example.
//! - [`crds()`] returns the CRDs of an API; `kb-rs generate crd` writes the same CRDs to files.
//!
//! # Runtime
//!
//! The feature `runtime` adds a runtime on kube's client and watcher, with its own cache and work queue. An API crate does without it, and so
//! without a client and TLS.
//!
//! | module | controller-runtime |
//! |---|---|
//! | [`manager`] | manager: client, caches, leader election, probes, metrics, shutdown |
//! | [`controller`] | controller, work queue, rate limiter, finalizers |
//! | [`store`] | cache with indexes |
//! | [`objects`] | server-side apply, owner references, status, conditions, events |
//! | [`leader`] | leader election |
//! | [`server`], [`metrics`] | health probes and metrics endpoint |
//! | [`flags`], [`log`], [`shutdown`] | flags, logging, signal handling |
//!
//! # Kubernetes version
//!
//! `kb` uses the API types of k8s-openapi. The final program selects the Kubernetes version with one of the features `v1_33` to `v1_37`.

#[doc(hidden)]
#[path = "private.rs"]
pub mod __private;
pub mod check;
mod crdgen;
mod crds;
mod default_from;
mod object;
mod rbac_rule;
pub mod schema;

#[cfg(feature = "runtime")]
mod blocking;
#[cfg(feature = "runtime")]
pub mod controller;
#[cfg(feature = "runtime")]
pub mod flags;
#[cfg(feature = "runtime")]
pub mod leader;
#[cfg(feature = "runtime")]
pub mod log;
#[cfg(feature = "runtime")]
mod lru_map;
#[cfg(feature = "runtime")]
pub mod manager;
#[cfg(feature = "runtime")]
pub mod metrics;
#[cfg(feature = "runtime")]
pub mod namespaces;
#[cfg(feature = "runtime")]
pub mod objects;
#[cfg(feature = "runtime")]
mod panics;
#[cfg(feature = "runtime")]
mod retry_after;
#[cfg(feature = "runtime")]
pub mod server;
#[cfg(feature = "runtime")]
pub mod shutdown;
#[cfg(feature = "runtime")]
pub mod store;

#[cfg(feature = "runtime")]
pub use blocking::spawn_blocking;
pub use crdgen::crdgen;
pub use crds::{CrdDefinition, crds};
#[cfg(feature = "runtime")]
pub use flags::Flags;
pub use k8s_openapi;
pub use k8s_openapi::apiextensions_apiserver::pkg::apis::apiextensions::v1::CustomResourceDefinition;
#[doc = include_str!("object.md")]
pub use kb_macros::object;
#[doc = include_str!("rbac.md")]
pub use kb_macros::rbac;
#[doc = include_str!("resource.md")]
pub use kb_macros::resource;
pub use kube::core::Duration;
#[cfg(feature = "runtime")]
pub use manager::Manager;
pub use rbac_rule::RbacRule;
pub use schema::Schema;
pub use serde_json;
