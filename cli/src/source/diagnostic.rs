//! Errors and warnings with a source location.

use proc_macro2::{LineColumn, Span};

use crate::plan::RelPath;

/// An error or warning at a source location. `show` renders it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Diagnostic {
    /// File.
    pub(crate) path: RelPath,
    /// Line, from 1; 0 for the whole file.
    pub(crate) line: usize,
    /// Column in characters, from 1.
    pub(crate) column: usize,
    /// Width of the span in characters, at least 1.
    pub(crate) width: usize,
    /// Message, lower case.
    pub(crate) message: String,
    /// What to do about it.
    pub(crate) help: Option<String>,
    /// Text of the line.
    pub(crate) source_line: String,
}

impl Diagnostic {
    /// Creates a diagnostic for a whole file.
    pub(super) fn of_file(
        path: &RelPath,
        message: impl Into<String>,
        help: Option<String>,
    ) -> Self {
        Self {
            path: path.clone(),
            line: 0,
            column: 0,
            width: 0,
            message: message.into(),
            help,
            source_line: String::new(),
        }
    }

    /// Creates a diagnostic for a span of the file at `path`.
    pub(super) fn at(
        path: &RelPath,
        text: &str,
        span: Span,
        message: impl Into<String>,
        help: Option<String>,
    ) -> Self {
        Self::between(path, text, [span.start(), span.end()], message, help)
    }

    /// Creates a diagnostic for the range from `start` to `end`.
    pub(super) fn between(
        path: &RelPath,
        text: &str,
        [start, end]: [LineColumn; 2],
        message: impl Into<String>,
        help: Option<String>,
    ) -> Self {
        let source_line = text
            .lines()
            .nth(start.line.saturating_sub(1))
            .unwrap_or_default();
        let rest = source_line.chars().count().saturating_sub(start.column);
        let width = if end.line == start.line {
            end.column.saturating_sub(start.column)
        } else {
            rest
        };
        Self {
            path: path.clone(),
            line: start.line,
            column: start.column + 1,
            width: width.clamp(1, rest.max(1)),
            message: message.into(),
            help,
            source_line: source_line.to_owned(),
        }
    }
}
