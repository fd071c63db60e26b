//! `#[kb::rbac(...)]`: a rule of the manager role.
//!
//! A rule is compact (`"apps/deployments": get, list`) or has only named arguments. The model validates rules; this module parses both forms and maps
//! problems back to tokens.

mod compact;
mod item;
mod named;
mod rule;

pub use item::{arguments_of, check_rbac_item, is_rbac};
pub use rule::{RbacRule, read_rbac};
