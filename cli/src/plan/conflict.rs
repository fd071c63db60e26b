//! Why a plan cannot be carried out on the tree as it is.

use super::RelPath;

/// One obstacle, with what the user can do about it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Conflict {
    /// The file it is about.
    pub path: RelPath,
    /// What is wrong, as a lower-case phrase.
    pub problem: String,
    /// What to do.
    pub help: String,
    /// Text to put into the file by hand.
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
