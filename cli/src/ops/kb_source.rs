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
    /// The source that PROJECT records; none is the registry. A command has refused a PROJECT with one that is malformed.
    pub(crate) fn recorded(text: Option<&str>) -> Self {
        text.and_then(|text| text.parse().ok())
            .unwrap_or(Self::Registry)
    }

    /// What Cargo.toml says of kb's library.
    pub(crate) fn dependency(&self) -> String {
        let mut table = InlineTable::new();
        table.insert("package", "kb-runtime".into());
        self.locate("runtime", &mut table);
        table.to_string().trim().to_owned()
    }

    /// What Cargo.toml says of kb-envtest.
    pub(crate) fn envtest(&self) -> String {
        if *self == Self::Registry {
            return format!("\"{VERSION}\"");
        }
        let mut table = InlineTable::new();
        self.locate("envtest", &mut table);
        table.to_string().trim().to_owned()
    }

    /// Adds where the crate in this folder of kb-rs is.
    fn locate(&self, folder: &str, table: &mut InlineTable) {
        match self {
            Self::Registry => table.insert("version", VERSION.into()),
            Self::Path(checkout) => {
                let checkout = checkout.replace('\\', "/");
                let checkout = checkout.trim_end_matches('/');
                table.insert("path", format!("{checkout}/{folder}").into())
            }
            Self::Git(url) => table.insert("git", url.as_str().into()),
        };
    }

    /// What `cargo install` is told in a shell, to get this command. Elsewhere a checkout does not exist.
    pub(crate) fn command(&self) -> String {
        match self {
            Self::Registry | Self::Path(_) => {
                format!("kb-rs --locked --version {}", env!("CARGO_PKG_VERSION"))
            }
            Self::Git(url) => format!("kb-rs --locked --git '{url}'"),
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

/// The versions of kb's crates that fit this command.
const VERSION: &str = concat!(
    env!("CARGO_PKG_VERSION_MAJOR"),
    ".",
    env!("CARGO_PKG_VERSION_MINOR")
);

/// A malformed `--kb-source`.
#[derive(Debug)]
pub(crate) struct KbSourceError(String);

/// The characters of a URL, without the two that the shell and GitHub's workflows give a meaning in a quoted string. What is left
/// cannot end a line, a string or an argument in any file that names the URL.
fn is_of_url(character: char) -> bool {
    character.is_ascii_alphanumeric() || "-._~:/?#[]@!&()*+,;=%".contains(character)
}

impl FromStr for KbSource {
    type Err = KbSourceError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text.split_once(':') {
            None if text == "registry" => Ok(Self::Registry),
            Some(("path", folder)) if !folder.is_empty() && !folder.contains(char::is_control) => {
                Ok(Self::Path(folder.to_owned()))
            }
            Some(("git", url)) if !url.is_empty() && url.chars().all(is_of_url) => {
                Ok(Self::Git(url.to_owned()))
            }
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
            "write `registry`, `path:../kb-rs` for a checkout of kb-rs, or `git:` and a URL without spaces, quotes and `$`",
        )]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_git_repository_is_quoted_for_the_shell_and_for_toml() {
        let source: KbSource = "git:https://e.com/kb?a=1&b=2#x".parse().unwrap();
        assert_eq!(
            source.command(),
            "kb-rs --locked --git 'https://e.com/kb?a=1&b=2#x'"
        );
        let toml: toml_edit::Value = source.git().unwrap().parse().unwrap();
        assert_eq!(toml.as_str(), Some("https://e.com/kb?a=1&b=2#x"));
    }

    #[test]
    fn a_source_cannot_leave_its_place_in_a_file() {
        for text in [
            "git:",
            "git:https://e.com/a b",
            "git:https://e.com/kb\n      - run: evil",
            "git:https://e.com/${{ secrets.TOKEN }}",
            "git:https://e.com/$(evil)",
            "git:https://e.com/'; evil; '",
            "git:https://e.com/\"",
            "git:https://e.com/\\",
            "git:https://e.com/\u{9b}",
            "path:../kb-rs\n[patch]",
            "path:",
            "elsewhere",
        ] {
            assert!(text.parse::<KbSource>().is_err(), "{text:?}");
        }
        assert!("path:C:\\Users\\me\\kb-rs".parse::<KbSource>().is_ok());
    }

    #[test]
    fn a_checkout_is_not_there_in_ci() {
        let source = KbSource::Path("../kb-rs".to_owned());
        assert_eq!(source.command(), KbSource::Registry.command());
        assert_eq!(source.git(), None);
    }

    #[test]
    fn both_crates_come_from_one_place() {
        for (source, library, envtest) in [
            (
                "registry",
                r#"{ package = "kb-runtime", version = "0.1" }"#,
                r#""0.1""#,
            ),
            (
                "path:../kb-rs/",
                r#"{ package = "kb-runtime", path = "../kb-rs/runtime" }"#,
                r#"{ path = "../kb-rs/envtest" }"#,
            ),
            (
                "git:https://e.com/kb",
                r#"{ package = "kb-runtime", git = "https://e.com/kb" }"#,
                r#"{ git = "https://e.com/kb" }"#,
            ),
        ] {
            let source: KbSource = source.parse().unwrap();
            assert_eq!(
                (source.dependency().as_str(), source.envtest().as_str()),
                (library, envtest)
            );
        }
        assert_eq!(KbSource::recorded(None), KbSource::Registry);
    }
}
