//! Project name: the cargo package of the manager and the prefix of its Kubernetes objects.
//!
//! A DNS-1123 label that leaves room for the suffixes `-system` (namespace) and `-metrics` (Service), and a valid cargo package name that does not
//! collide with a dependency.

use super::label::Rule;
use super::newtype::newtype;
use super::{rust, yaml};
use crate::NameError;

const WHAT: &str = "project name";
const NAMESPACE: &str = "-system";
/// Longest suffix of objects whose name must be a label.
const SERVICE: &str = "-metrics";
const RULE: Rule = Rule::dns1123_label(WHAT, "my-operator")
    .at_most(63 - SERVICE.len())
    .suggesting(|name| cargo_rejection(name).is_none());

newtype! {
    /// A DNS-1123 label of at most 55 characters that is also a cargo package, such as `my-operator`.
    #[derive(PartialOrd, Ord)]
    pub struct ProjectName
}

fn check(text: &str) -> Result<(), NameError> {
    RULE.check(text)?;
    cargo_rejection(text).map_or(Ok(()), Err)
}

/// Returns why cargo or the generated project cannot use a valid Kubernetes name.
fn cargo_rejection(text: &str) -> Option<NameError> {
    if text.starts_with(|c: char| c.is_ascii_digit()) {
        let problem = "starts with a digit, which is invalid in a Cargo package name";
        let help = format!("start with a letter, such as `operator-{text}`");
        return Some(NameError::new(WHAT, text, problem, help));
    }
    let problem = match text {
        _ if yaml::is_value(text) => yaml::PROBLEM,
        _ => rust::package_rejection(text)?,
    };
    let help = format!("add a word, such as `{text}-operator`");
    Some(NameError::new(WHAT, text, problem, help))
}

impl ProjectName {
    /// Derives a name from a directory: lower case, with `-` for `_`, `.` and spaces.
    pub fn from_directory(directory: &str) -> Result<Self, NameError> {
        directory
            .to_lowercase()
            .replace(['_', ' ', '.'], "-")
            .parse()
    }

    /// Returns the library of the manager: `my_operator`.
    pub fn lib(&self) -> String {
        self.0.replace('-', "_")
    }

    /// Returns the API package: `my-operator-api`.
    pub fn api_package(&self) -> String {
        format!("{}-api", self.0)
    }

    /// Returns the API library: `my_operator_api`.
    pub fn api_lib(&self) -> String {
        self.api_package().replace('-', "_")
    }

    /// Returns the namespace of the operator: `my-operator-system`.
    pub fn namespace(&self) -> String {
        format!("{}{NAMESPACE}", self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::names::check::{accepts, rejects};

    #[test]
    fn accepts_labels_that_cargo_accepts() {
        accepts::<ProjectName>(&["my-operator", "a", "kube-operator", &"a".repeat(55)]);
    }

    #[test]
    fn rejects_names_that_kubernetes_rejects() {
        rejects::<ProjectName>(&[
            ("", "is empty", "set one, such as `my-operator`"),
            (
                "My_Operator",
                "contains the upper-case letter 'M'",
                "try `my-operator`",
            ),
            ("my.operator", "contains a dot", "try `my-operator`"),
            (
                &"a".repeat(56),
                "has 56 characters, but at most 55 are allowed",
                "use at most 55 lower-case letters, digits and '-', such as `my-operator`",
            ),
        ]);
    }

    #[test]
    fn rejects_names_that_cargo_rejects() {
        rejects::<ProjectName>(&[
            (
                "3scale",
                "starts with a digit, which is invalid in a Cargo package name",
                "start with a letter, such as `operator-3scale`",
            ),
            (
                "async",
                "is a Rust keyword, which is invalid as a Cargo package name",
                "add a word, such as `async-operator`",
            ),
            (
                "test",
                "is a crate of the Rust distribution",
                "add a word, such as `test-operator`",
            ),
            (
                "proc-macro",
                "is a crate of the Rust distribution",
                "add a word, such as `proc-macro-operator`",
            ),
            (
                "on",
                "is not a string in YAML",
                "add a word, such as `on-operator`",
            ),
            (
                "deps",
                "conflicts with a directory that Cargo creates in `target`",
                "add a word, such as `deps-operator`",
            ),
            (
                "k8s-openapi",
                "conflicts with a dependency of the generated project",
                "add a word, such as `k8s-openapi-operator`",
            ),
            (
                "crdgen",
                "conflicts with another binary of the generated project",
                "add a word, such as `crdgen-operator`",
            ),
        ]);
    }

    #[test]
    fn suggests_only_valid_names() {
        for text in ["Serde", "9_lives"] {
            let error = text.parse::<ProjectName>().unwrap_err();
            assert!(error.help().starts_with("use at most"), "{}", error.help());
        }
    }

    #[test]
    fn derives_the_name_from_the_directory() {
        let name = |folder: &str| ProjectName::from_directory(folder).map(String::from);
        assert_eq!(name("My_Operator 2.0").as_deref(), Ok("my-operator-2-0"));
        assert_eq!(name("kube").unwrap_err().what(), "project name");
        assert!(name("").is_err());
    }

    #[test]
    fn derives_packages_and_namespace() {
        let name: ProjectName = "my-operator".parse().unwrap();
        assert_eq!(name.lib(), "my_operator");
        assert_eq!(name.api_package(), "my-operator-api");
        assert_eq!(name.api_lib(), "my_operator_api");
        assert_eq!(name.namespace(), "my-operator-system");
    }
}
