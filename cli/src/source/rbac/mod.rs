//! Reads the RBAC markers, `#[kb::rbac(...)]`, of every package in the workspace.
//!
//! `packages` finds the crates, `walk` their modules and `file` the markers of a file. Names are not resolved: the attribute is
//! `kb::rbac` or an imported `rbac`. Markers under a `cfg` count unless it is only for tests, because the role must suffice for
//! every build.

mod file;
mod packages;
mod walk;

pub(super) use file::FileRules;
pub(crate) use file::{RuleCache, SourceRule};
pub(crate) use walk::{Permissions, read_rules};
