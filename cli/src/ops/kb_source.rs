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

    /// What `cargo install` is told in a shell, to get this command. Elsewhere a checkout does not exist.
    pub(crate) fn command(&self) -> String {
        match self {
            Self::Registry | Self::Path(_) => {
                format!("kb-rs --locked --version {}", env!("CARGO_PKG_VERSION"))
            }
            Self::Git(url) => format!("kb-rs --locked --git '{}'", url.replace('\'', r"'\''")),
        }
    }

    /// The git repository, as a TOML string.
    pub(crate) fn git(&self) -> Option<String> {
        match self {
            Self::Git(url) => Some(toml_edit::Value::from(url.as_str()).to_string()),
            Self::Registry | Self::Path(_) => None,
        }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_git_repository_is_quoted_for_the_shell_and_for_toml() {
        let source = KbSource::Git("https://example.com/it's \"kb\"".to_owned());
        assert_eq!(
            source.command(),
            r#"kb-rs --locked --git 'https://example.com/it'\''s "kb"'"#
        );
        let toml: toml_edit::Value = source.git().unwrap().parse().unwrap();
        assert_eq!(toml.as_str(), Some("https://example.com/it's \"kb\""));
    }

    #[test]
    fn a_checkout_is_not_there_in_ci() {
        let source = KbSource::Path("../kb-rs".to_owned());
        assert_eq!(source.command(), KbSource::Registry.command());
        assert_eq!(source.git(), None);
    }
}
