//! Controller name, for projects with several controllers of one kind.
//!
//! Kubebuilder rejects names that differ only in dashes, because their metric and field manager names are confusing;
//! [`ControllerName::same_module`] compares them.

use super::label::Rule;
use super::newtype::newtype;
use super::rust;
use crate::NameError;

const RULE: Rule = Rule::dns1035_label("controller name", "app-service");

newtype! {
    /// A DNS-1035 label, such as `app-service-cleanup`.
    #[derive(PartialOrd, Ord)]
    pub struct ControllerName
}

fn check(text: &str) -> Result<(), NameError> {
    RULE.check(text)
}

impl ControllerName {
    /// Returns the Rust module.
    pub fn module(&self) -> String {
        rust::module(&self.0)
    }

    /// Returns whether names differ at most in dashes: `app-service` and `appservice`.
    pub fn same_module(&self, other: &Self) -> bool {
        let letters = |name: &Self| name.0.replace('-', "");
        letters(self) == letters(other)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::names::check::{accepts, rejects};

    fn name(text: &str) -> ControllerName {
        text.parse().unwrap()
    }

    #[test]
    fn a_label_that_starts_with_a_letter_is_a_controller_name() {
        accepts::<ControllerName>(&["app-service", "a", "cleanup2"]);
        rejects::<ControllerName>(&[
            (
                "AppService",
                "contains the upper-case letter 'A'",
                "try `appservice`",
            ),
            (
                "app_service",
                "contains the character '_'",
                "try `app-service`",
            ),
            ("app.service", "contains a dot", "try `app-service`"),
        ]);
    }

    #[test]
    fn names_that_differ_only_in_dashes_share_a_module() {
        assert!(name("app-service").same_module(&name("appservice")));
        assert!(!name("app-service").same_module(&name("app-services")));
        assert_eq!(name("app-service").module(), "app_service");
        assert_eq!(name("mod").module(), "mod_");
    }
}
