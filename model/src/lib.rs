//! Model of an operator's API: validated names, kinds and types, the documents built from them, and the kinds of Kubernetes.
//!
//! Names are validated once, by `FromStr`, for the command line, PROJECT and the macros alike, so each rule has one message. Pure: this crate does no
//! I/O and depends neither on `syn` nor on `kube`.

pub mod api;
pub mod builtin;
pub mod core_types;
pub mod crd;
mod edit_distance;
mod error;
pub mod fit;
pub mod inflect;
mod names;
pub mod rbac;
#[cfg(feature = "sample")]
pub mod sample;
pub mod schema;

pub use edit_distance::edit_distance;
pub use error::{NameError, NameErrors};
pub use names::{
    ApiGroup, ControllerName, Domain, Group, Gvk, Kind, Namespace, Plural, ProjectName, RoleName,
    Version,
};
