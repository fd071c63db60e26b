//! Small changes to a block-style YAML text, by line and indentation.
//!
//! A [`Page`] knows which lines belong to a key or an item: those up to its next sibling, without the blank lines and
//! the comments in front of that sibling. It makes [`Splice`]s; what to change is `edit`'s business, and whether the
//! result is right is checked by reading it again.

use std::ops::Range;

use super::document::{Document, Entry, Node};

/// A piece of text to put in place of a range of bytes.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Splice {
    range: Range<usize>,
    text: String,
}

impl Splice {
    pub(crate) fn replace(range: Range<usize>, text: impl Into<String>) -> Self {
        let text = text.into();
        Self { range, text }
    }

    pub(crate) fn insert(offset: usize, text: impl Into<String>) -> Self {
        Self::replace(offset..offset, text)
    }

    pub(crate) fn remove(range: Range<usize>) -> Self {
        Self::replace(range, "")
    }
}

/// The text with all splices done, which must not overlap.
pub(crate) fn apply(text: &str, mut splices: Vec<Splice>) -> String {
    splices.sort_by_key(|splice| splice.range.start);
    let mut result = text.to_owned();
    for splice in splices.into_iter().rev() {
        result.replace_range(splice.range, &splice.text);
    }
    result
}

/// A text that ends in a line end, and what was read from it.
pub(crate) struct Page<'a> {
    text: &'a str,
    starts: Vec<usize>,
    pub(crate) document: &'a Document,
}

impl<'a> Page<'a> {
    pub(crate) fn new(text: &'a str, document: &'a Document) -> Self {
        let breaks = text.match_indices('\n').map(|(offset, _)| offset + 1);
        let starts = std::iter::once(0).chain(breaks).collect();
        Self {
            text,
            starts,
            document,
        }
    }

    /// Where a line begins; for a line behind the last one, the end of the text.
    pub(crate) fn start_of(&self, line: usize) -> usize {
        let start = self.starts.get(line.saturating_sub(1));
        start.copied().unwrap_or(self.text.len())
    }

    fn line(&self, line: usize) -> &'a str {
        &self.text[self.start_of(line)..self.start_of(line + 1)]
    }

    /// The column of a comment that has the line for itself.
    fn comment(&self, line: usize) -> Option<usize> {
        let column = *self.document.comments.get(&line)?;
        self.line(line)
            .trim_start()
            .starts_with('#')
            .then_some(column)
    }

    /// The first line behind what begins in `line` at `column`, where `limit` is the line of the next sibling.
    pub(crate) fn end_of(&self, line: usize, column: usize, limit: usize) -> usize {
        let outside = |line: usize| {
            let apart = self.comment(line).is_some_and(|at| at <= column);
            apart || self.line(line).trim().is_empty()
        };
        let mut end = limit;
        while end > line + 1 && outside(end - 1) {
            end -= 1;
        }
        end
    }

    /// The line and column of the dash of an item of a block list.
    pub(crate) fn dash_of(&self, item: &Node) -> Option<(usize, usize)> {
        (1..=item.start.line).rev().find_map(|line| {
            let text = self.line(line);
            let rest = text.trim_start_matches(' ').strip_prefix('-')?;
            let column = text.len() - rest.len();
            rest.starts_with([' ', '\r', '\n'])
                .then_some((line, column))
        })
    }

    /// The first line of the comments that stand directly above an item, down to but without line `top`.
    pub(crate) fn comments_above(&self, line: usize, column: usize, top: usize) -> usize {
        let attached = |line: usize| self.comment(line).is_some_and(|at| at <= column);
        let mut first = line;
        while first > top + 1 && attached(first - 1) {
            first -= 1;
        }
        first
    }

    /// Whether a comment stands in one of the lines.
    pub(crate) fn has_comment(&self, mut lines: Range<usize>) -> bool {
        lines.any(|line| self.document.comments.contains_key(&line))
    }

    /// The offset behind the colon of an entry.
    pub(crate) fn colon_of(&self, entry: &Entry) -> Option<usize> {
        let rest = self.text.get(entry.key.end..)?;
        let colon = rest.find(':')?;
        let between = rest[..colon].trim_matches(' ');
        between.is_empty().then_some(entry.key.end + colon + 1)
    }

    /// Removes an entry with all its lines; one that shares its line with a dash leaves the dash to the next.
    pub(crate) fn remove_entry(&self, entry: &Entry, limit: usize) -> Splice {
        let start = entry.key.start;
        let end = self.start_of(self.end_of(start.line, start.column, limit));
        let line = self.start_of(start.line);
        if self.text[line..start.offset].trim().is_empty() {
            return Splice::remove(line..end);
        }
        let rest = &self.text[end..];
        let blank = rest.len() - rest.trim_start().len();
        Splice::remove(start.offset..end + blank)
    }

    /// Text for insertion, with the line ends of the file.
    pub(crate) fn own_line_ends(&self, text: &str) -> String {
        if self.line(1).ends_with("\r\n") {
            return text.replace('\n', "\r\n");
        }
        text.to_owned()
    }
}
