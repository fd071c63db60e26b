//! What an operator made by kb-rs links.
//!
//! An API is Rust types with two attributes. The crate that holds them depends on `kb` alone:
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
//!     /// The image.
//!     pub image: Option<String>,
//! }
//!
//! /// What the controller last saw.
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
//! - [`resource`](macro@resource) stands on the spec of a kind, and makes the kind: `AppService` with metadata, spec and status. It is a
//!   kube `Resource`, so it works with kube's `Api` and `Controller`.
//! - [`object`](macro@object) stands on every other struct, enum or newtype that a kind leads to.
//! - `#[kb(...)]` on fields and types says what the API server is to check: [`object`](macro@object) has every marker, with an example.
//! - [`crds()`] gives all CRDs of an API to a program; `kb-rs generate crd` writes them to files. Both give the same.
//!
//! With the feature `runtime` comes what stands around the controllers of an operator, see [`manager`]. A crate of an API does without it.
//!
//! The version of Kubernetes is that of k8s-openapi: the program at the end chooses it, by one of the features `v1_33` to `v1_37`.

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
