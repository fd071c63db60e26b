//! Where a generated project takes kb's own crates from.

use std::{fmt, str::FromStr};

use toml_edit::InlineTable;

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

impl KbSource {
    /// What Cargo.toml says of kb's library.
    pub(crate) fn dependency(&self) -> String {
        let mut table = InlineTable::new();
        table.insert("package", "kb-runtime".into());
        match self {
            Self::Registry => table.insert("version", VERSION.into()),
            Self::Path(folder) => {
                let folder = folder.replace('\\', "/");
                let folder = folder.trim_end_matches('/');
                table.insert("path", format!("{folder}/runtime").into())
            }
            Self::Git(url) => table.insert("git", url.as_str().into()),
        };
        table.to_string().trim().to_owned()
    }
}

/// The versions of kb's library that fit this command.
const VERSION: &str = concat!(
    env!("CARGO_PKG_VERSION_MAJOR"),
    ".",
    env!("CARGO_PKG_VERSION_MINOR")
);

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
