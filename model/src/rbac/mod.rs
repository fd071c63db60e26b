//! Permissions: the rules of an operator, what can be wrong with them, and the roles made of them.
//!
//! A [`Rule`] is what one `#[kb::rbac(...)]` says. [`check()`] finds mistakes that Kubernetes would only answer with "forbidden",
//! [`breadth()`] what is allowed and hardly meant. [`roles()`] merges rules as controller-gen does, so that a
//! project that comes from Kubebuilder keeps its role as it is.

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
