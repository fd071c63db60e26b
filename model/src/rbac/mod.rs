//! Permissions: RBAC rules, their validation, and roles.
//!
//! A [`Rule`] is one `#[kb::rbac(...)]`. [`check()`] finds mistakes that Kubernetes would only report as "forbidden" at runtime, [`breadth()`] overly broad
//! rules. [`roles()`] merges rules like controller-gen, so that projects ported from Kubebuilder keep their role.

mod breadth;
mod check;
mod merge;
mod namespaced;
mod problem;
mod role;
mod rule;

pub use breadth::breadth;
pub use check::check;
pub use namespaced::restrict_to_namespace;
pub use problem::{Location, Problem};
pub use role::{Grant, Role, roles};
pub use rule::{Argument, Rule};
