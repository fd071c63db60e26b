//! A dependency, as `--external-api-module` names it: `NAME@VERSION`, `NAME@path:DIR` or `NAME@git:URL`.

use std::{fmt, str::FromStr};

use crate::problem::{IntoProblems, Problem};

/// A crate and where it comes from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct CrateSource {
    text: String,
    /// The package.
    pub(crate) name: String,
    /// Its place in Cargo.toml: `"1"` or `{ path = "…" }`.
    pub(crate) toml: String,
}

impl CrateSource {
    /// The crate's name in code.
    pub(crate) fn lib(&self) -> String {
        self.name.replace('-', "_")
    }
}

impl fmt::Display for CrateSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

/// A crate that cannot be depended on.
#[derive(Debug)]
pub(crate) struct CrateSourceError(String);

impl FromStr for CrateSource {
    type Err = CrateSourceError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let error = || CrateSourceError(text.to_owned());
        let (name, source) = text.split_once('@').ok_or_else(error)?;
        let sound_name = name.starts_with(|first: char| first.is_ascii_alphabetic())
            && name
                .chars()
                .all(|rest| rest.is_ascii_alphanumeric() || rest == '-' || rest == '_');
        let sound_source = !source.is_empty()
            && !source
                .chars()
                .any(|character| character == '"' || character == '\\' || character.is_control());
        if !sound_name || !sound_source {
            return Err(error());
        }
        let toml = match source.split_once(':') {
            Some(("path", folder)) if !folder.is_empty() => format!("{{ path = \"{folder}\" }}"),
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

/// A version as Cargo.toml has it: `1.2`, `^1`, `=1.2.3-beta.1`, `>=1,<3`.
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
            format!(
                "external API module {:?} names no crate and its source",
                self.0
            ),
            "write `NAME@VERSION`, `NAME@path:DIR` or `NAME@git:URL`, such as `widgets-api@1.2`",
        )]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_source_becomes_a_dependency() {
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
        for wrong in [
            "a", "a@", "@1", "a b@1", "a@latest", "a@path:", "a@1 2", "a@1\"2",
        ] {
            assert!(wrong.parse::<CrateSource>().is_err(), "{wrong}");
        }
    }
}
