//! Where a generated project takes kb's own crates from.

use std::{fmt, str::FromStr};

use crate::problem::{IntoProblems, Problem};

/// The source of kb's crates, as `--kb-source` names it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum KbSource {
    /// The crate registry.
    Registry,
    /// A checkout of kb-rs.
    Path(String),
    /// A git repository.
    Git(String),
}

/// A `--kb-source` that is none.
#[derive(Debug)]
pub(crate) struct KbSourceError(String);

impl FromStr for KbSource {
    type Err = KbSourceError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text.split_once(':') {
            None if text == "registry" => Ok(Self::Registry),
            Some(("path", folder)) if !folder.is_empty() => Ok(Self::Path(folder.to_owned())),
            Some(("git", url)) if !url.is_empty() => Ok(Self::Git(url.to_owned())),
            _ => Err(KbSourceError(text.to_owned())),
        }
    }
}

impl fmt::Display for KbSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Registry => f.write_str("registry"),
            Self::Path(folder) => write!(f, "path:{folder}"),
            Self::Git(url) => write!(f, "git:{url}"),
        }
    }
}

impl IntoProblems for KbSourceError {
    fn into_problems(self) -> Vec<Problem> {
        vec![Problem::new(
            format!(
                "kb source {:?} is neither `registry`, `path:DIR` nor `git:URL`",
                self.0
            ),
            "for a checkout of kb-rs write `--kb-source path:../kb-rs`",
        )]
    }
}
