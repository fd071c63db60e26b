//! Full name of an API group: `batch.example.com`, or empty for the core group.
//!
//! Custom resources have two additional rules, checked where they are created: the group needs a dot, and groups below `k8s.io` and `kubernetes.io`
//! need approval of the Kubernetes project.

use super::label::Rule;
use super::newtype::newtype;
use super::yaml;
use super::{Domain, Group};
use crate::NameError;

const WHAT: &str = "API group";
const RULE: Rule = Rule::dns1123_subdomain(WHAT, "batch.example.com");

newtype! {
    /// A DNS-1123 subdomain of at most 253 characters, or empty: the core group of Pods and Services.
    #[derive(PartialOrd, Ord)]
    pub struct ApiGroup
}

fn check(text: &str) -> Result<(), NameError> {
    if text.is_empty() {
        Ok(())
    } else {
        RULE.check(text)
    }
}

impl ApiGroup {
    /// Joins a group and a domain, at least one of which must be present.
    pub fn new(group: Option<&Group>, domain: Option<&Domain>) -> Result<Self, NameError> {
        let parts: Vec<&str> = group
            .map(Group::as_str)
            .into_iter()
            .chain(domain.map(Domain::as_str))
            .collect();
        if parts.is_empty() {
            let help = "set a group, or a domain for the project";
            return Err(NameError::new(WHAT, "", "is empty", help));
        }
        parts.join(".").parse()
    }

    /// Returns whether CRDs of this group need the annotation `api-approved.kubernetes.io`.
    pub fn is_protected(&self) -> bool {
        [".k8s.io", ".kubernetes.io"]
            .iter()
            .any(|tail| self.0.ends_with(tail))
            || self.0 == "k8s.io"
            || self.0 == "kubernetes.io"
    }

    /// Returns whether the API server accepts custom resources in this group: it needs a dot.
    pub fn check_custom(&self) -> Result<(), NameError> {
        if yaml::is_value(&self.0) {
            let help = "use a group or a domain with letters, such as `example.com`";
            return Err(NameError::new(WHAT, &self.0, yaml::PROBLEM, help));
        }
        if self.0.contains('.') {
            return Ok(());
        }
        let problem = "has no dot, which custom resources require";
        let help = "set a domain for the project, such as `example.com`";
        Err(NameError::new(WHAT, &self.0, problem, help))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::names::check::{accepts, rejects};

    fn join(group: &str, domain: &str) -> Result<String, String> {
        let group = Some(group)
            .filter(|g| !g.is_empty())
            .map(|g| g.parse().unwrap());
        let domain = Some(domain)
            .filter(|d| !d.is_empty())
            .map(|d| d.parse().unwrap());
        ApiGroup::new(group.as_ref(), domain.as_ref())
            .map(String::from)
            .map_err(|error| error.to_string())
    }

    #[test]
    fn the_empty_group_is_core() {
        accepts::<ApiGroup>(&["", "apps", "batch.example.com"]);
        rejects::<ApiGroup>(&[("a_b.c", "contains the character '_'", "try `a-b.c`")]);
    }

    #[test]
    fn requires_a_group_or_a_domain() {
        assert_eq!(
            join("batch", "example.com").as_deref(),
            Ok("batch.example.com")
        );
        assert_eq!(join("", "example.com").as_deref(), Ok("example.com"));
        assert_eq!(join("batch", "").as_deref(), Ok("batch"));
        assert_eq!(join("", "").unwrap_err(), "API group \"\" is empty");
    }

    #[test]
    fn checks_the_joined_length() {
        let error = join(&"a".repeat(200), &"b".repeat(60)).unwrap_err();
        assert!(
            error.ends_with("has 261 characters, but at most 253 are allowed"),
            "{error}"
        );
    }

    #[test]
    fn custom_resources_require_a_dot_in_the_group() {
        let check = |group: &str| group.parse::<ApiGroup>().unwrap().check_custom().is_ok();
        assert!(check("batch.example"));
        assert!(!check("batch"));
        assert!(!check(""));
    }

    #[test]
    fn groups_of_the_kubernetes_project_are_protected() {
        let protected = |group: &str| group.parse::<ApiGroup>().unwrap().is_protected();
        assert!(protected("networking.k8s.io"));
        assert!(protected("x.kubernetes.io"));
        assert!(!protected("myk8s.io"));
        assert!(!protected("example.com"));
    }
}
