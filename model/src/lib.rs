//! The model of an operator's API: validated names, and what Kubernetes itself already has.
//!
//! Every name a user writes becomes one of these types once, at the edge; `FromStr` is the only way in, for the
//! command line, for PROJECT and for the macros alike, so each rule has one wording. This crate is
//! pure: it reads nothing, writes nothing, and knows neither `syn` nor `kube`.

pub mod builtin;
mod error;
pub mod inflect;
mod names;

pub use error::{NameError, NameErrors};
pub use names::{ApiGroup, ControllerName, Domain, Group, Gvk, Kind, Plural, ProjectName, Version};
