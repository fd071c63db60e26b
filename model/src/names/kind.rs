//! Kind of an API, such as `AppService`: both a Kubernetes name and a Rust type.
//!
//! Kubernetes requires that the lower-cased kind and its list, `AppServiceList`, are DNS-1035 labels, which leaves 59 characters. Kinds that would
//! shadow names used in their own file are rejected, and modules named like a keyword are renamed. [`Kind::collides_with`] compares two kinds of an
//! API version; plurals are compared elsewhere, because users can choose them.

use heck::ToSnakeCase;

use super::label::{describe, flag_hint, missing, too_long};
use super::newtype::newtype;
use super::{Plural, rust, yaml};
use crate::{NameError, inflect};

const WHAT: &str = "kind";
const MAX: usize = 63 - "List".len();

newtype! {
    /// An upper-camel-case name of ASCII letters and digits, of at most 59 characters, that can be a Rust type.
    #[derive(PartialOrd, Ord)]
    pub struct Kind
}

fn check(text: &str) -> Result<(), NameError> {
    if let Some(problem) = shape_problem(text) {
        return Err(NameError::new(WHAT, text, problem, help(text)));
    }
    if let Some(problem) = rejection(text) {
        let help = format!("add a prefix, such as `App{text}`");
        return Err(NameError::new(WHAT, text, problem, help));
    }
    Ok(())
}

/// Returns why Rust or YAML cannot use a well-formed kind.
fn rejection(text: &str) -> Option<&'static str> {
    rust::type_rejection(text).or(yaml::is_value(text).then_some(yaml::PROBLEM))
}

fn shape_problem(text: &str) -> Option<String> {
    if let Some(problem) = missing(text) {
        return Some(problem.to_owned());
    }
    if let Some(bad) = text.chars().find(|c| !c.is_ascii_alphanumeric()) {
        return Some(format!("contains {}", describe(bad)));
    }
    match text.chars().next() {
        Some(digit @ '0'..='9') => Some(format!("starts with the digit '{digit}'")),
        Some(letter @ 'a'..='z') => Some(format!("starts with the lower-case letter '{letter}'")),
        _ => too_long(text, MAX),
    }
}

fn help(text: &str) -> String {
    if text.is_empty() {
        return "set one, such as `AppService`".to_owned();
    }
    if let Some(help) = flag_hint(text) {
        return help.to_owned();
    }
    let suggestion = suggestion(text);
    if shape_problem(&suggestion).is_none() && rejection(&suggestion).is_none() {
        format!("try `{suggestion}`")
    } else {
        format!(
            "use at most {MAX} letters and digits, starting with an upper-case letter, such as `AppService`"
        )
    }
}

/// Converts a string to upper camel case; the result may be invalid.
fn suggestion(text: &str) -> String {
    let mut suggestion = String::new();
    for word in text.split(|c: char| !c.is_ascii_alphanumeric()) {
        let mut letters = word.chars();
        suggestion.extend(letters.next().map(|c| c.to_ascii_uppercase()));
        suggestion.extend(letters);
    }
    suggestion
}

impl Kind {
    /// Returns the Rust module: `AppService` becomes `app_service`, `Type` becomes `type_`.
    pub fn module(&self) -> String {
        rust::module(&self.0.to_snake_case())
    }

    /// Returns the kind in lower case, the singular resource name.
    pub fn lower(&self) -> String {
        self.0.to_ascii_lowercase()
    }

    /// Returns the default plural.
    pub fn plural(&self) -> Plural {
        inflect::plural_of(&self.lower())
            .parse()
            .expect("the maximum length of a kind leaves room for every plural suffix")
    }

    /// Returns the generated Rust types, starting with itself.
    pub fn generated_types(&self) -> [String; 4] {
        ["", "Spec", "Status", "List"].map(|ending| format!("{}{ending}", self.0))
    }

    /// Returns why this kind collides with another in an API version. Equal kinds do not collide.
    pub fn collides_with(&self, other: &Self) -> Option<String> {
        if self == other {
            return None;
        }
        // Shared names start with both kinds.
        let common = self.0.len().min(other.0.len());
        if !self.0[..common].eq_ignore_ascii_case(&other.0[..common]) {
            return None;
        }
        let theirs = other.generated_types();
        if let Some(both) = self
            .generated_types()
            .iter()
            .find(|name| theirs.contains(name))
        {
            return Some(format!(
                "`{self}` and `{other}` map to the same Rust type `{both}`"
            ));
        }
        let module = self.module();
        if module == other.module() {
            return Some(format!(
                "`{self}` and `{other}` map to the same Rust module `{module}`"
            ));
        }
        let lower = self.lower();
        (lower == other.lower())
            .then(|| format!("`{self}` and `{other}` map to the same resource name `{lower}`"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::names::check::{accepts, rejects};

    const WHOLE_RULE: &str = "use at most 59 letters and digits, starting with an upper-case letter, such as `AppService`";

    fn kind(text: &str) -> Kind {
        text.parse().unwrap()
    }

    #[test]
    fn accepts_upper_camel_case() {
        accepts::<Kind>(&[
            "AppService",
            "HTTPRoute",
            "A",
            "K8sCluster",
            "Type",
            "Mod",
            "FooList",
            "DNS",
        ]);
        accepts::<Kind>(&[&"A".repeat(59)]);
    }

    #[test]
    fn rejects_everything_else_with_reason_and_hint() {
        rejects::<Kind>(&[
            ("", "is empty", "set one, such as `AppService`"),
            (
                "appService",
                "starts with the lower-case letter 'a'",
                "try `AppService`",
            ),
            (
                "app-service",
                "contains the character '-'",
                "try `AppService`",
            ),
            (
                "App_Service",
                "contains the character '_'",
                "try `AppService`",
            ),
            ("App Service", "contains a space", "try `AppService`"),
            (
                "apps/AppService",
                "contains a slash",
                "try `AppsAppService`",
            ),
            ("Äpp", "contains 'Ä', which is not ASCII", "try `Pp`"),
            ("3scale", "starts with the digit '3'", WHOLE_RULE),
            (
                "--version",
                "starts with '-'",
                "a flag was parsed as this value: pass a value to the preceding flag",
            ),
            (
                &"A".repeat(60),
                "has 60 characters, but at most 59 are allowed",
                WHOLE_RULE,
            ),
        ]);
    }

    #[test]
    fn rejects_kinds_that_conflict_with_generated_code() {
        let prelude = "would shadow a name of the Rust prelude in generated code";
        let help = |word: &str| format!("add a prefix, such as `App{word}`");
        rejects::<Kind>(&[
            ("Self", "is a Rust keyword", &help("Self")),
            ("Option", prelude, &help("Option")),
            ("Result", prelude, &help("Result")),
            ("Box", prelude, &help("Box")),
            ("Future", prelude, &help("Future")),
            (
                "JsonSchema",
                "conflicts with an import of the generated code",
                &help("JsonSchema"),
            ),
        ]);
    }

    #[test]
    fn modules_are_valid_rust_names() {
        for (name, module) in [
            ("AppService", "app_service"),
            ("HTTPRoute", "http_route"),
            ("K8sCluster", "k8s_cluster"),
            ("Type", "type_"),
            ("Mod", "mod_"),
            ("Move", "move_"),
            ("Kube", "kube_"),
        ] {
            assert_eq!(kind(name).module(), module);
        }
    }

    #[test]
    fn derives_lower_case_plural_and_types() {
        let kind = kind("NetworkPolicy");
        assert_eq!(kind.lower(), "networkpolicy");
        assert_eq!(kind.plural().as_str(), "networkpolicies");
        let types = kind.generated_types();
        assert_eq!(
            types.join(" "),
            "NetworkPolicy NetworkPolicySpec NetworkPolicyStatus NetworkPolicyList"
        );
    }

    #[test]
    fn kinds_that_share_a_type_a_module_or_a_name_collide() {
        for (one, other, reason) in [
            ("Foo", "FooSpec", Some("type `FooSpec`")),
            ("FooStatus", "Foo", Some("type `FooStatus`")),
            ("Foo", "FooList", Some("type `FooList`")),
            ("HTTPRoute", "HttpRoute", Some("module `http_route`")),
            (
                "Appservice",
                "AppService",
                Some("resource name `appservice`"),
            ),
            ("Foo", "Foo", None),
            ("Foo", "FooSet", None),
            ("FooList", "FooSet", None),
        ] {
            let found = kind(one).collides_with(&kind(other));
            assert_eq!(found.is_some(), reason.is_some(), "{one} {other}");
            assert!(
                found
                    .unwrap_or_default()
                    .ends_with(reason.unwrap_or_default())
            );
        }
    }
}
