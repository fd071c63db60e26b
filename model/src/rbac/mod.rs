//! Permissions: RBAC rules, their validation, and roles.
//!
//! A [`Rule`] is one `#[kb::rbac(...)]`. [`check()`] finds mistakes that Kubernetes would only report as "forbidden" at runtime, [`breadth()`] overly broad
//! rules. [`roles()`] merges rules like controller-gen, so that projects ported from Kubebuilder keep their role.

mod breadth;
mod check;
mod merge;
mod problem;
mod role;
mod rule;
mod within;

pub use breadth::breadth;
pub use check::check;
pub use problem::{Place, Problem};
pub use role::{Grant, Role, roles};
pub use rule::{Argument, Rule};
pub use within::within;
