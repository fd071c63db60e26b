//! Name of a Role or `ClusterRole`.

use super::label::Rule;
use super::newtype::newtype;
use crate::NameError;

const RULE: Rule = Rule::dns1123_subdomain("role name", "manager-role");

newtype! {
    /// A DNS-1123 subdomain of at most 253 characters, such as `manager-role`.
    #[derive(PartialOrd, Ord)]
    pub struct RoleName
}

fn check(text: &str) -> Result<(), NameError> {
    RULE.check(text)
}

impl Default for RoleName {
    /// Returns Kubebuilder's name of the manager role.
    fn default() -> Self {
        Self("manager-role".to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::names::check::{accepts, rejects};

    #[test]
    fn a_role_name_may_have_dots() {
        accepts::<RoleName>(&["manager-role", "a.b", RoleName::default().as_str()]);
        rejects::<RoleName>(&[(
            "Manager Role",
            "contains the upper-case letter 'M'",
            "try `manager-role`",
        )]);
    }
}
