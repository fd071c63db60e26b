//! Plural of a kind: the resource name in URLs, RBAC rules and the CRD's name.
//!
//! `inflect` computes the default.

use super::label::Rule;
use super::newtype::newtype;
use super::{rust, yaml};
use crate::NameError;

const RULE: Rule =
    Rule::dns1035_label("plural", "appservices").suggesting(|plural| !yaml::is_value(plural));

newtype! {
    /// A DNS-1035 label, such as `appservices`.
    #[derive(PartialOrd, Ord)]
    pub struct Plural
}

fn check(text: &str) -> Result<(), NameError> {
    RULE.check(text)?;
    if yaml::is_value(text) {
        let help = format!("use another one, such as `{text}-objects`");
        return Err(NameError::new("plural", text, yaml::PROBLEM, help));
    }
    Ok(())
}

impl Plural {
    /// Returns a Rust variable name: `app-services` becomes `app_services`; keywords get an underscore.
    pub fn identifier(&self) -> String {
        rust::module(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::names::check::{accepts, rejects};

    #[test]
    fn a_lower_case_label_is_a_plural() {
        accepts::<Plural>(&["appservices", "chassis", "app-services"]);
        rejects::<Plural>(&[
            (
                "AppServices",
                "contains the upper-case letter 'A'",
                "try `appservices`",
            ),
            ("", "is empty", "set one, such as `appservices`"),
            ("apps/status", "contains a slash", "try `apps-status`"),
            (
                "on",
                "is not a string in YAML",
                "use another one, such as `on-objects`",
            ),
        ]);
    }
}
