//! Paths of Rust modules, from PROJECT and `--external-api-path`.

use std::{fmt, str::FromStr};

use crate::problem::{IntoProblems, Problem};

/// A module path: identifiers joined by `::`, starting with a crate name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct RustPath(String);

impl RustPath {
    /// Returns the crate name, the first identifier.
    pub(crate) fn crate_name(&self) -> &str {
        self.0.split("::").next().unwrap_or_default()
    }
}

impl fmt::Display for RustPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// An invalid path.
#[derive(Debug)]
pub(crate) struct RustPathError(String);

impl FromStr for RustPath {
    type Err = RustPathError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let is_identifier = |part: &str| {
            part.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_')
                && part
                    .chars()
                    .all(|rest| rest.is_ascii_alphanumeric() || rest == '_')
        };
        let is_keyword = |part: &str| matches!(part, "crate" | "self" | "super" | "Self");
        if text
            .split("::")
            .all(|part| is_identifier(part) && !is_keyword(part))
        {
            Ok(Self(text.to_owned()))
        } else {
            Err(RustPathError(text.to_owned()))
        }
    }
}

impl IntoProblems for RustPathError {
    fn into_problems(self) -> Vec<Problem> {
        vec![Problem::new(
            format!(
                "external API path {:?} is not the path of a Rust module",
                self.0
            ),
            "set it to the module of the type, such as `widgets_api::v1`",
        )]
    }
}
