//! Conflicts between a plan and the files on disk.

use super::RelPath;

/// A conflict with its resolution.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Conflict {
    /// The file.
    pub path: RelPath,
    /// What is wrong: a predicate such as "is a symbolic link".
    pub problem: String,
    /// What to do.
    pub help: String,
    /// Text to add to the file manually.
    pub paste: Option<String>,
}

impl Conflict {
    pub(super) fn new(path: &RelPath, problem: impl Into<String>, help: impl Into<String>) -> Self {
        Self {
            path: path.clone(),
            problem: problem.into(),
            help: help.into(),
            paste: None,
        }
    }
}
