//! The model of an operator's API: validated names, kinds and types, the documents made of them, and what Kubernetes itself
//! already has.
//!
//! Every name a user writes becomes one of these types once, at the edge; `FromStr` is the only way in, for the
//! command line, for PROJECT and for the macros alike, so each rule has one wording. This crate is
//! pure: it reads nothing, writes nothing, and knows neither `syn` nor `kube`.

pub mod api;
pub mod builtin;
pub mod core_types;
pub mod crd;
mod edits;
mod error;
pub mod fit;
pub mod inflect;
mod names;
pub mod rbac;
#[cfg(feature = "sample")]
pub mod sample;
pub mod schema;

pub use edits::edits;
pub use error::{NameError, NameErrors};
pub use names::{
    ApiGroup, ControllerName, Domain, Group, Gvk, Kind, Namespace, Plural, ProjectName, RoleName,
    Version,
};
