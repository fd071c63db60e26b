//! The rules of the operator's role: every `#[kb::rbac(...)]` of every package of the workspace.
//!
//! `packages` finds the crates, `walk` their files, module by module, and `file` what is in each. Names are not resolved: the
//! attribute is `kb::rbac`, or `rbac` where it is imported. What a `cfg` leaves open counts, because a role has to
//! be enough for every build; what is only for tests does not.

mod file;
mod packages;
mod walk;

pub(super) use file::FileRules;
pub(crate) use file::{RuleFiles, WrittenRule};
pub(crate) use walk::{Permissions, read_rules};
