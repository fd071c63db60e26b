//! Why the sources alone do not say everything, so that the slow path has to be taken.

use std::fmt;

use crate::plan::RelPath;

/// Something that only rustc knows.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Reason {
    /// The file.
    pub(crate) path: RelPath,
    /// The line, from 1; 0 if the file as a whole is meant.
    pub(crate) line: usize,
    /// What it is.
    pub(crate) text: String,
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.line {
            0 => write!(f, "{}: {}", self.path, self.text),
            line => write!(f, "{}:{line}: {}", self.path, self.text),
        }
    }
}
