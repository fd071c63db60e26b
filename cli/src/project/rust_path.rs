//! A path to a Rust module, as `--external-api-path` names it.

use std::{fmt, str::FromStr};

use crate::problem::{IntoProblems, Problem};

/// Names joined by `::`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct RustPath(String);

impl RustPath {
    /// The crate's name in code: the first part.
    pub(crate) fn krate(&self) -> &str {
        self.0.split("::").next().unwrap_or_default()
    }
}

impl fmt::Display for RustPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// A path that is none.
#[derive(Debug)]
pub(crate) struct RustPathError(String);

impl FromStr for RustPath {
    type Err = RustPathError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let is_name = |part: &str| {
            part.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_')
                && part
                    .chars()
                    .all(|rest| rest.is_ascii_alphanumeric() || rest == '_')
        };
        let is_keyword = |part: &str| matches!(part, "crate" | "self" | "super" | "Self");
        if text
            .split("::")
            .all(|part| is_name(part) && !is_keyword(part))
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
                "external API path {:?} is not a path to a Rust module",
                self.0
            ),
            "write the module that has the type, such as `widgets_api::v1`",
        )]
    }
}
