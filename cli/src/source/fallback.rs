//! Reasons to fall back to crdgen, which rustc compiles.

use std::fmt;

use crate::plan::RelPath;

/// Source code that only rustc can evaluate.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct FallbackReason {
    /// File.
    pub(crate) path: RelPath,
    /// Line, from 1; 0 for the whole file.
    pub(crate) line: usize,
    /// Message.
    pub(crate) text: String,
}

impl fmt::Display for FallbackReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.line {
            0 => write!(f, "{}: {}", self.path, self.text),
            line => write!(f, "{}:{line}: {}", self.path, self.text),
        }
    }
}
