//! Permissions: RBAC rules, their validation, and roles.
//!
//! A [`Rule`] is one `#[kb::rbac(...)]`; [`Subject`] is the string of its compact form. [`check()`] finds mistakes that Kubernetes would only report as
//! "forbidden" at runtime, [`breadth()`] overly broad rules. [`roles()`] merges rules like controller-gen, so that projects ported from Kubebuilder keep
//! their role.

mod breadth;
mod check;
mod compact;
mod merge;
mod namespaced;
mod problem;
mod role;
mod rule;
mod subject;

pub use breadth::breadth;
pub use check::check;
pub use namespaced::restrict_to_namespace;
pub use problem::{Location, Problem};
pub use role::{Grant, Role, roles};
pub use rule::{Argument, Form, Rule};
pub use subject::Subject;
