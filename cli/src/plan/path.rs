//! A path inside the project.
//!
//! Always relative, always with `/`, never with `..`: so a plan means the same on every system, sorts the same everywhere,
//! and cannot reach outside the folder it is made for.

use std::{
    fmt,
    path::{Path, PathBuf},
};

use serde::{Deserialize, Serialize};

/// A path relative to the project's root.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String")]
pub struct RelPath(String);

impl RelPath {
    /// A path from text that the program itself made of checked names.
    ///
    /// # Panics
    ///
    /// If `path` is empty, absolute, or has a part that is empty, `.` or `..`, or that not every system can name.
    pub fn new(path: impl Into<String>) -> Self {
        Self::try_from(path.into()).unwrap_or_else(|error| panic!("{error}"))
    }

    /// The path as text, with `/`.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Where the path is on disk.
    pub fn below(&self, root: &Path) -> PathBuf {
        self.0
            .split('/')
            .fold(root.to_path_buf(), |path, part| path.join(part))
    }

    /// The folders above it, outermost first: `a` and `a/b` for `a/b/c`.
    pub fn parents(&self) -> impl Iterator<Item = RelPath> {
        self.0
            .match_indices('/')
            .map(|(end, _)| RelPath(self.0[..end].to_owned()))
    }

    /// Where the new content of the file is staged: beside it, so that a rename puts it in place at once.
    #[must_use]
    pub fn staging(&self) -> Self {
        let (folder, name) = self
            .0
            .split_at(self.0.rfind('/').map_or(0, |slash| slash + 1));
        Self(format!("{folder}.{name}.kb-rs-new"))
    }

    /// How comments begin in this kind of file.
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
        let is_foreign = |c: char| c.is_control() || matches!(c, '\\' | ':');
        // Windows drops dots and spaces at the end of a name, and takes `.. ` for `..`.
        let sound = path.split('/').all(|part| {
            !part.is_empty() && !part.ends_with(['.', ' ']) && !part.contains(is_foreign)
        });
        if sound {
            Ok(Self(path))
        } else {
            Err(format!("{path:?} is no path inside the project"))
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
    fn parents_are_listed_outermost_first() {
        let parents: Vec<_> = RelPath::new("a/b/c").parents().map(|path| path.0).collect();
        assert_eq!(parents, ["a", "a/b"]);
    }

    #[test]
    fn staging_is_beside_the_target() {
        let staging = |path: &str| RelPath::new(path).staging().0;
        assert_eq!(staging("a/b/c.rs"), "a/b/.c.rs.kb-rs-new");
        assert_eq!(staging("PROJECT"), ".PROJECT.kb-rs-new");
    }

    #[test]
    fn paths_that_leave_the_project_do_not_exist() {
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
