//! Domain of a project: the suffix of its API groups.
//!
//! Checked when the project is created, since it ends up in many files.

use super::label::Rule;
use super::newtype::newtype;
use crate::NameError;

const RULE: Rule = Rule::dns1123_subdomain("domain", "example.com");

newtype! {
    /// A DNS-1123 subdomain of at most 253 characters, such as `example.com`.
    ///
    /// A domain without a dot (`example`) is valid, because a group precedes it.
    #[derive(PartialOrd, Ord)]
    pub struct Domain
}

fn check(text: &str) -> Result<(), NameError> {
    RULE.check(text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::names::check::{accepts, rejects};

    const SWALLOWED: &str = "a flag was parsed as this value: pass a value to the preceding flag";
    const WHOLE_RULE: &str =
        "use at most 253 lower-case letters, digits, dots and '-', such as `example.com`";

    #[test]
    fn accepts_subdomains_with_and_without_dots() {
        let longest = ["a"; 127].join(".");
        accepts::<Domain>(&[
            "example.com",
            "example",
            "3scale.net",
            "a-b.c",
            "x",
            &longest,
        ]);
    }

    #[test]
    fn rejects_everything_else_with_reason_and_hint() {
        rejects::<Domain>(&[
            ("", "is empty", "set one, such as `example.com`"),
            ("my_domain", "contains the character '_'", "try `my-domain`"),
            (
                "Example.com",
                "contains the upper-case letter 'E'",
                "try `example.com`",
            ),
            ("--owner", "starts with '-'", SWALLOWED),
            ("a..b", "has an empty part between two dots", "try `a.b`"),
            (".a", "starts with a dot", "try `a`"),
            ("a.", "ends with a dot", "try `a`"),
            ("a-", "ends with '-'", "try `a`"),
            ("a.-b", "has '-' next to a dot", "try `a.b`"),
            ("my domain", "contains a space", "try `my-domain`"),
            (
                "a\tb",
                "contains whitespace other than a space",
                "try `a-b`",
            ),
            (
                "https://example.com",
                "contains the character ':'",
                "try `example.com`",
            ),
            ("example.com/", "contains a slash", "try `example.com`"),
            (
                "exämple.com",
                "contains 'ä', which is not ASCII",
                "try `ex-mple.com`",
            ),
            ("...", "starts with a dot", WHOLE_RULE),
        ]);
    }

    #[test]
    fn reports_the_length_of_long_values() {
        let long = "a".repeat(254);
        rejects::<Domain>(&[(
            &long,
            "has 254 characters, but at most 253 are allowed",
            WHOLE_RULE,
        )]);
    }

    #[test]
    fn formats_errors_as_one_line() {
        let error = "my domain".parse::<Domain>().unwrap_err();
        assert_eq!(error.what(), "domain");
        assert_eq!(error.to_string(), "domain \"my domain\" contains a space");
    }
}
