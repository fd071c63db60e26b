//! A mistake in the user's sources, with the place that is meant.

use proc_macro2::{LineColumn, Span};

use crate::plan::RelPath;

/// What is wrong, and where, as a compiler would say it. `show` renders it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Diagnostic {
    /// The file.
    pub(crate) path: RelPath,
    /// The line, from 1; 0 if the file as a whole is meant.
    pub(crate) line: usize,
    /// The column, from 1, in characters.
    pub(crate) column: usize,
    /// How many characters of the line are meant; at least 1.
    pub(crate) width: usize,
    /// What is wrong: a lower-case phrase that names the thing.
    pub(crate) message: String,
    /// What to do.
    pub(crate) help: Option<String>,
    /// The text of the line.
    pub(crate) source_line: String,
}

impl Diagnostic {
    /// About a file as a whole.
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

    /// About a place in the file at `path`, whose text is given.
    pub(super) fn at(
        path: &RelPath,
        text: &str,
        span: Span,
        message: impl Into<String>,
        help: Option<String>,
    ) -> Self {
        Self::between(path, text, [span.start(), span.end()], message, help)
    }

    /// The same, with the place's start and end.
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
