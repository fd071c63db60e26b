//! Formats rules in the compact form, for messages that tell users which rule to write.

use std::fmt::Write as _;

use super::{Rule, Subject};

impl Subject {
    /// Returns the rule with these verbs: `#[kb::rbac("apps/deployments": list, watch)]`.
    pub fn attribute(&self, verbs: &[&str]) -> String {
        format!("#[kb::rbac({})]", self.arguments(verbs))
    }

    fn arguments(&self, verbs: &[&str]) -> String {
        format!("{:?}: {}", self.to_string(), verbs.join(", "))
    }
}

impl Rule {
    /// Returns the rule in the compact form; `None` if it has several subjects or no verbs.
    pub fn compact(&self) -> Option<String> {
        let verbs: Vec<&str> = self.verbs.iter().map(String::as_str).collect();
        if verbs.is_empty() {
            return None;
        }
        let mut text = Subject::of(self)?.arguments(&verbs);
        let names = (!self.resource_names.is_empty()).then(|| self.resource_names.join(";"));
        for (name, value) in [
            ("resource_names", &names),
            ("namespace", &self.namespace),
            ("role_name", &self.role_name),
            ("reason", &self.reason),
        ] {
            if let Some(value) = value {
                write!(text, ", {name} = {value:?}").ok()?;
            }
        }
        Some(format!("#[kb::rbac({text})]"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn list(text: &str) -> Vec<String> {
        text.split(';').map(ToOwned::to_owned).collect()
    }

    #[test]
    fn attributes_have_a_subject_and_verbs() {
        assert_eq!(
            Subject::resource("", "pods/log").attribute(&["get"]),
            r#"#[kb::rbac("core/pods/log": get)]"#
        );
        assert_eq!(
            Subject::Url("/metrics".to_owned()).attribute(&["get", "head"]),
            r#"#[kb::rbac("/metrics": get, head)]"#
        );
    }

    #[test]
    fn rules_keep_their_other_arguments() {
        let mut rule = Rule {
            groups: list("apps"),
            resources: list("deployments"),
            resource_names: list("a;b"),
            verbs: list("get;patch"),
            namespace: Some("shop".to_owned()),
            role_name: Some("deployer".to_owned()),
            reason: Some("to say \"hello\"".to_owned()),
            ..Rule::default()
        };
        assert_eq!(
            rule.compact().unwrap(),
            r#"#[kb::rbac("apps/deployments": get, patch, resource_names = "a;b", namespace = "shop", role_name = "deployer", reason = "to say \"hello\"")]"#
        );
        rule.resources = list("deployments;statefulsets");
        assert_eq!(rule.compact(), None);
    }
}
