//! Short name of an API group, as written by users: `batch`, `rbac.authorization`.
//!
//! With the project's domain it becomes an [`ApiGroup`](super::ApiGroup).

use super::label::Rule;
use super::newtype::newtype;
use super::rust;
use crate::NameError;

const RULE: Rule = Rule::dns1123_subdomain("group", "batch");

newtype! {
    /// A DNS-1123 subdomain of at most 253 characters, such as `batch`; it may have dots.
    #[derive(PartialOrd, Ord)]
    pub struct Group
}

fn check(text: &str) -> Result<(), NameError> {
    RULE.check(text)
}

impl Group {
    /// Returns the Rust module: `cert-manager` becomes `cert_manager`, `3scale` becomes `g3scale`, `type` becomes `type_`.
    pub fn module(&self) -> String {
        if self.0.starts_with(|c: char| c.is_ascii_digit()) {
            rust::module(&format!("g{}", self.0))
        } else {
            rust::module(&self.0)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::names::check::{accepts, rejects};

    #[test]
    fn accepts_dots_and_dashes() {
        accepts::<Group>(&[
            "batch",
            "rbac.authorization",
            "cert-manager",
            "3scale",
            "core",
        ]);
    }

    #[test]
    fn rejects_everything_else() {
        rejects::<Group>(&[
            ("Batch", "contains the upper-case letter 'B'", "try `batch`"),
            ("my_group", "contains the character '_'", "try `my-group`"),
            ("apps/v1", "contains a slash", "try `apps-v1`"),
        ]);
    }

    #[test]
    fn modules_are_valid_rust_names() {
        for (group, module) in [
            ("batch", "batch"),
            ("cert-manager", "cert_manager"),
            ("rbac.authorization", "rbac_authorization"),
            ("3scale", "g3scale"),
            ("type", "type_"),
            ("core", "core_"),
        ] {
            assert_eq!(group.parse::<Group>().unwrap().module(), module);
        }
    }
}
