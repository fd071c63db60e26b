//! Paths inside the project.
//!
//! They are relative, use `/` and never contain `..`, so a plan is portable, sorts the same everywhere, and cannot
//! escape its directory.

use std::{
    fmt,
    path::{Path, PathBuf},
};

use serde::{Deserialize, Serialize};

/// A path relative to the project root.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String")]
pub struct RelPath(String);

impl RelPath {
    /// Creates a path from text composed of validated names.
    ///
    /// # Panics
    ///
    /// If `path` is empty, absolute, or has a component that is empty, `.`, `..` or not portable.
    pub fn new(path: impl Into<String>) -> Self {
        Self::try_from(path.into()).unwrap_or_else(|error| panic!("{error}"))
    }

    /// Returns the path as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Joins the path to a directory.
    pub fn below(&self, root: &Path) -> PathBuf {
        self.0
            .split('/')
            .fold(root.to_path_buf(), |path, part| path.join(part))
    }

    /// Returns the parent directories, outermost first: `a` and `a/b` for `a/b/c`.
    pub fn parents(&self) -> impl Iterator<Item = RelPath> {
        self.0
            .match_indices('/')
            .map(|(end, _)| RelPath(self.0[..end].to_owned()))
    }

    /// Returns the staging path: in the same directory, so that a rename replaces the file atomically.
    #[must_use]
    pub fn staging(&self) -> Self {
        let (directory, name) = self
            .0
            .split_at(self.0.rfind('/').map_or(0, |slash| slash + 1));
        Self(format!("{directory}.{name}.kb-rs-new"))
    }

    /// Returns the comment prefix of the file type.
    pub fn comment(&self) -> &'static str {
        let is_rust = self
            .0
            .rsplit_once('.')
            .is_some_and(|(_, extension)| extension == "rs");
        if is_rust { "//" } else { "#" }
    }
}

impl TryFrom<String> for RelPath {
    type Error = String;

    fn try_from(path: String) -> Result<Self, Self::Error> {
        let is_unportable = |c: char| c.is_control() || matches!(c, '\\' | ':');
        // Windows strips trailing dots and spaces, so `.. ` means `..` there.
        let is_valid = path.split('/').all(|part| {
            !part.is_empty() && !part.ends_with(['.', ' ']) && !part.contains(is_unportable)
        });
        if is_valid {
            Ok(Self(path))
        } else {
            Err(format!("{path:?} is not a path inside the project"))
        }
    }
}

impl fmt::Display for RelPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_parents_outermost_first() {
        let parents: Vec<_> = RelPath::new("a/b/c").parents().map(|path| path.0).collect();
        assert_eq!(parents, ["a", "a/b"]);
    }

    #[test]
    fn stages_in_the_same_directory() {
        let staging = |path: &str| RelPath::new(path).staging().0;
        assert_eq!(staging("a/b/c.rs"), "a/b/.c.rs.kb-rs-new");
        assert_eq!(staging("PROJECT"), ".PROJECT.kb-rs-new");
    }

    #[test]
    fn rejects_paths_outside_the_project() {
        for path in [
            "", "/etc", "a/../b", "..", "a//b", "./a", "C:\\x", "a\\b", "a/.. /b", "a\nb", "a\0",
            "a.",
        ] {
            assert!(
                std::panic::catch_unwind(|| RelPath::new(path)).is_err(),
                "{path}"
            );
        }
    }
}
