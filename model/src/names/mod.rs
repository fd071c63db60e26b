//! Names of a project and its APIs.
//!
//! `label` implements Kubernetes' DNS rules, `rust` restrictions of Rust (keywords, reserved names), `newtype` the common code.

mod api_group;
#[cfg(test)]
mod check;
mod controller;
mod domain;
mod group;
mod gvk;
mod kind;
mod label;
mod namespace;
mod newtype;
mod plural;
mod project;
mod role;
mod rust;
mod version;
mod yaml;

pub use api_group::ApiGroup;
pub use controller::ControllerName;
pub use domain::Domain;
pub use group::Group;
pub use gvk::Gvk;
pub use kind::Kind;
pub use namespace::Namespace;
pub use plural::Plural;
pub use project::ProjectName;
pub use role::RoleName;
pub use version::Version;

pub(crate) use version::Priority;
