//! The source of the kb crates in a scaffolded project.

use std::{fmt, str::FromStr};

use toml_edit::InlineTable;

use crate::problem::{IntoProblems, Problem};

/// The value of `--kb-source`.
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
    /// Returns the source that PROJECT records. Commands reject a PROJECT with a malformed one before.
    pub(crate) fn recorded(text: Option<&str>) -> Self {
        text.and_then(|text| text.parse().ok())
            .unwrap_or(Self::Registry)
    }

    /// Returns the Cargo.toml dependency on the library.
    pub(crate) fn dependency(&self) -> String {
        let mut table = InlineTable::new();
        table.insert("package", "kb-runtime".into());
        self.locate("runtime", &mut table);
        table.to_string().trim().to_owned()
    }

    /// Returns the Cargo.toml dependency on kb-envtest.
    pub(crate) fn envtest(&self) -> String {
        if *self == Self::Registry {
            return format!("\"{VERSION}\"");
        }
        let mut table = InlineTable::new();
        self.locate("envtest", &mut table);
        table.to_string().trim().to_owned()
    }

    /// Adds the location of the crate in directory `dir` of the kb-rs repository.
    fn locate(&self, dir: &str, table: &mut InlineTable) {
        match self {
            Self::Registry => table.insert("version", VERSION.into()),
            Self::Path(checkout) => {
                let checkout = checkout.replace('\\', "/");
                let checkout = checkout.trim_end_matches('/');
                table.insert("path", format!("{checkout}/{dir}").into())
            }
            Self::Git(url) => table.insert("git", url.as_str().into()),
        };
    }

    /// Returns the shell arguments of `cargo install` that install this command, or `None` for a checkout, which exists on one machine
    /// only.
    pub(crate) fn install_args(&self) -> Option<String> {
        match self {
            Self::Registry => Some(format!(
                "kb-rs --locked --version {}",
                env!("CARGO_PKG_VERSION")
            )),
            Self::Path(_) => None,
            Self::Git(url) => Some(format!("kb-rs --locked --git '{url}'")),
        }
    }

    /// Returns the git repository as a TOML string.
    pub(crate) fn git(&self) -> Option<String> {
        match self {
            Self::Git(url) => Some(toml_edit::Value::from(url.as_str()).to_string()),
            Self::Registry | Self::Path(_) => None,
        }
    }
}

/// The version requirement of the kb crates that match this command.
const VERSION: &str = concat!(
    env!("CARGO_PKG_VERSION_MAJOR"),
    ".",
    env!("CARGO_PKG_VERSION_MINOR")
);

/// A malformed `--kb-source`.
#[derive(Debug)]
pub(crate) struct KbSourceError(String);

/// Returns whether a URL may contain the character. `'` and `$` are rejected, because the URL is written into quoted strings of shell
/// scripts and GitHub workflows.
fn is_url_char(character: char) -> bool {
    character.is_ascii_alphanumeric() || "-._~:/?#[]@!&()*+,;=%".contains(character)
}

impl FromStr for KbSource {
    type Err = KbSourceError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text.split_once(':') {
            None if text == "registry" => Ok(Self::Registry),
            Some(("path", dir)) if !dir.is_empty() && !dir.contains(char::is_control) => {
                Ok(Self::Path(dir.to_owned()))
            }
            Some(("git", url)) if !url.is_empty() && url.chars().all(is_url_char) => {
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
            Self::Path(dir) => write!(f, "path:{dir}"),
            Self::Git(url) => write!(f, "git:{url}"),
        }
    }
}

impl IntoProblems for KbSourceError {
    fn into_problems(self) -> Vec<Problem> {
        vec![Problem::new(
            format!("invalid kb source {:?}", self.0),
            "use `registry`, `path:DIR` with a checkout of kb-rs, or `git:URL` without spaces, quotes and `$`",
        )]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotes_a_git_url_for_the_shell_and_for_toml() {
        let source: KbSource = "git:https://e.com/kb?a=1&b=2#x".parse().unwrap();
        assert_eq!(
            source.install_args().as_deref(),
            Some("kb-rs --locked --git 'https://e.com/kb?a=1&b=2#x'")
        );
        let toml: toml_edit::Value = source.git().unwrap().parse().unwrap();
        assert_eq!(toml.as_str(), Some("https://e.com/kb?a=1&b=2#x"));
    }

    #[test]
    fn rejects_injection_into_generated_files() {
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
    fn ci_cannot_install_from_a_checkout() {
        let source = KbSource::Path("../kb-rs".to_owned());
        assert_eq!(source.install_args(), None);
        assert_eq!(source.git(), None);
    }

    #[test]
    fn both_crates_have_the_same_source() {
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
