//! The value of `--external-api-module`: `NAME@VERSION`, `NAME@path:DIR` or `NAME@git:URL`.

use std::{fmt, str::FromStr};

use crate::problem::{IntoProblems, Problem};

/// A crate and its source.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct CrateSource {
    text: String,
    /// Package name.
    pub(crate) name: String,
    /// Value of the dependency in Cargo.toml: `"1"` or `{ path = "…" }`.
    pub(crate) toml: String,
}

impl CrateSource {
    /// Returns the crate name in Rust code.
    pub(crate) fn lib(&self) -> String {
        self.name.replace('-', "_")
    }
}

impl fmt::Display for CrateSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

/// An invalid crate source.
#[derive(Debug)]
pub(crate) struct CrateSourceError(String);

impl FromStr for CrateSource {
    type Err = CrateSourceError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let error = || CrateSourceError(text.to_owned());
        let (name, source) = text.split_once('@').ok_or_else(error)?;
        let is_valid_name = name.starts_with(|first: char| first.is_ascii_alphabetic())
            && name
                .chars()
                .all(|rest| rest.is_ascii_alphanumeric() || rest == '-' || rest == '_');
        let is_valid_source = !source.is_empty()
            && !source
                .chars()
                .any(|character| character == '"' || character == '\\' || character.is_control());
        if !is_valid_name || !is_valid_source {
            return Err(error());
        }
        let toml = match source.split_once(':') {
            Some(("path", dir)) if !dir.is_empty() => format!("{{ path = \"{dir}\" }}"),
            Some(("git", url)) if !url.is_empty() => format!("{{ git = \"{url}\" }}"),
            None if is_requirement(source) => {
                format!("\"{source}\"")
            }
            _ => return Err(error()),
        };
        Ok(Self {
            text: text.to_owned(),
            name: name.to_owned(),
            toml,
        })
    }
}

/// Returns whether the text is a version requirement of Cargo.toml: `1.2`, `^1`, `=1.2.3-beta.1`, `>=1,<3`.
fn is_requirement(text: &str) -> bool {
    text.starts_with(|first: char| first.is_ascii_digit() || "^~=<>".contains(first))
        && text.contains(|any: char| any.is_ascii_digit())
        && text
            .chars()
            .all(|any| any.is_ascii_alphanumeric() || "^~=<>.,+-*".contains(any))
}

impl IntoProblems for CrateSourceError {
    fn into_problems(self) -> Vec<Problem> {
        vec![Problem::new(
            format!("invalid external API module {:?}", self.0),
            "use `NAME@VERSION`, `NAME@path:DIR` or `NAME@git:URL`, such as `widgets-api@1.2`",
        )]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parses_every_source_into_a_dependency() {
        for (text, toml) in [
            ("a-b@1.2", "\"1.2\""),
            ("a@^1", "\"^1\""),
            ("a@path:../a", "{ path = \"../a\" }"),
            (
                "a@git:https://example.com/a",
                "{ git = \"https://example.com/a\" }",
            ),
        ] {
            assert_eq!(text.parse::<CrateSource>().unwrap().toml, toml);
        }
        for invalid in [
            "a", "a@", "@1", "a b@1", "a@latest", "a@path:", "a@1 2", "a@1\"2",
        ] {
            assert!(invalid.parse::<CrateSource>().is_err(), "{invalid}");
        }
    }
}
