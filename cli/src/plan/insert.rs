//! Inserts text before a scaffold marker.
//!
//! A marker is a separate comment line, `// +kb:scaffold:NAME` or `# +kb:scaffold:NAME`. Insertions are idempotent and
//! preserve the rest of the file byte for byte. A missing or repeated marker is a conflict.

use std::ops::Range;

use super::{RelPath, rustfmt_order};

/// Position of an insertion among the lines above the marker.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Order {
    /// Directly before the marker.
    Last,
    /// In rustfmt's order if the lines above the marker are sorted, otherwise directly before the marker.
    Sorted,
}

/// Text to insert.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Insertion {
    /// Name of the marker.
    pub marker: &'static str,
    /// One or more lines, without the marker's indentation and without a final newline.
    pub text: String,
    /// Position.
    pub order: Order,
}

impl Insertion {
    /// Creates an insertion directly before the marker.
    pub fn last(marker: &'static str, text: impl Into<String>) -> Self {
        Self {
            marker,
            text: text.into(),
            order: Order::Last,
        }
    }

    /// Creates an insertion of one line into the sorted lines above the marker.
    pub fn sorted(marker: &'static str, text: impl Into<String>) -> Self {
        Self {
            marker,
            text: text.into(),
            order: Order::Sorted,
        }
    }

    /// Returns whether `text` contains the insertion.
    pub fn is_in(&self, text: &str) -> bool {
        position(text, &self.text).is_some()
    }

    /// Returns `text` without the insertion, or unchanged if it does not contain it.
    pub fn remove_from(&self, text: &str) -> String {
        let mut text = text.to_owned();
        if let Some(lines) = position(&text, &self.text) {
            text.replace_range(lines, "");
        }
        text
    }

    /// Returns the marker as a line of the file.
    pub fn marker_line(&self, path: &RelPath) -> String {
        format!("{} +kb:scaffold:{}", path.comment(), self.marker)
    }
}

/// Error of an insertion.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum InsertError {
    /// The marker is missing.
    Missing,
    /// The marker is on these lines.
    Repeated(String),
}

/// Returns `text` with the insertion, or unchanged if it already contains it.
pub(super) fn insert(
    path: &RelPath,
    text: &str,
    insertion: &Insertion,
) -> Result<String, InsertError> {
    if position(text, &insertion.text).is_some() {
        return Ok(text.to_owned());
    }
    let marker = marker_start(text, &insertion.marker_line(path))?;
    let line = &text[marker..];
    let indent = &line[..line.len() - line.trim_start().len()];
    let newline = if text.contains("\r\n") { "\r\n" } else { "\n" };

    let at = match insertion.order {
        Order::Last => marker,
        Order::Sorted => sorted_start(&text[..marker], indent, &insertion.text),
    };
    let mut result = text[..at].to_owned();
    for line in insertion.text.lines() {
        if !line.is_empty() {
            result.push_str(indent);
            result.push_str(line);
        }
        result.push_str(newline);
    }
    result.push_str(&text[at..]);
    Ok(result)
}

/// Returns the range of the consecutive lines of `fragment` in `text`, ignoring indentation.
fn position(text: &str, fragment: &str) -> Option<Range<usize>> {
    let first = fragment.lines().next().unwrap_or_default().trim();
    text.match_indices(first).find_map(|(found, _)| {
        let start = text[..found].rfind('\n').map_or(0, |end| end + 1);
        let mut end = start;
        let mut lines = text[start..].split_inclusive('\n');
        for expected in fragment.lines() {
            let line = lines.next()?;
            if line.trim() != expected.trim() {
                return None;
            }
            end += line.len();
        }
        Some(start..end)
    })
}

/// Returns the start of the marker line.
fn marker_start(text: &str, marker: &str) -> Result<usize, InsertError> {
    let line_of = |(at, _): (usize, &str)| text[..at].rfind('\n').map_or(0, |end| end + 1);
    let is_marker = |start: &usize| text[*start..].lines().next().map(str::trim) == Some(marker);
    let found: Vec<usize> = text
        .match_indices(marker)
        .map(line_of)
        .filter(is_marker)
        .collect();
    match found[..] {
        [start] => Ok(start),
        [] => Err(InsertError::Missing),
        _ => {
            let number = |start: &usize| (text[..*start].matches('\n').count() + 1).to_string();
            let numbers: Vec<String> = found.iter().map(number).collect();
            Err(InsertError::Repeated(numbers.join(", ")))
        }
    }
}

/// Returns the position of `line` among the lines directly above the marker that start with the same words.
fn sorted_start(above: &str, indent: &str, line: &str) -> usize {
    let opening = line.rfind(' ').map_or("", |end| &line[..=end]);
    let is_sibling = |candidate: &&str| {
        candidate
            .strip_prefix(indent)
            .is_some_and(|rest| rest.starts_with(opening))
    };
    let mut siblings: Vec<&str> = above
        .split_inclusive('\n')
        .rev()
        .take_while(is_sibling)
        .collect();
    siblings.reverse();
    let in_order = |a: &str, b: &str| rustfmt_order::compare(a.trim(), b.trim()).is_le();
    if !siblings.is_sorted_by(|a, b| in_order(a, b)) {
        return above.len();
    }
    let after = &siblings[siblings.partition_point(|sibling| in_order(sibling, line))..];
    above.len() - after.iter().map(|sibling| sibling.len()).sum::<usize>()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, insertion: &Insertion, expected: &str) {
        let path = RelPath::new("src/lib.rs");
        let once = insert(&path, text, insertion).unwrap();
        assert_eq!(once, expected);
        assert_eq!(
            insert(&path, &once, insertion).unwrap(),
            once,
            "inserting is idempotent"
        );
        if once != text {
            assert_eq!(insertion.remove_from(&once), text, "reverted");
        }
    }

    #[test]
    fn inserts_before_the_marker_with_its_indentation() {
        check(
            "fn main() {\n    // +kb:scaffold:x\n}\n",
            &Insertion::last("x", "a(\n    b,\n);"),
            "fn main() {\n    a(\n        b,\n    );\n    // +kb:scaffold:x\n}\n",
        );
    }

    #[test]
    fn keeps_crlf_line_endings() {
        check(
            "mod a;\r\n// +kb:scaffold:x\r\n",
            &Insertion::last("x", "mod b;"),
            "mod a;\r\nmod b;\r\n// +kb:scaffold:x\r\n",
        );
    }

    #[test]
    fn keeps_a_list_sorted() {
        check(
            "use z;\n\npub mod b;\npub mod d;\n// +kb:scaffold:x\n",
            &Insertion::sorted("x", "pub mod c;"),
            "use z;\n\npub mod b;\npub mod c;\npub mod d;\n// +kb:scaffold:x\n",
        );
    }

    #[test]
    fn sorts_like_rustfmt() {
        check(
            "pub mod v2;\n// +kb:scaffold:x\n",
            &Insertion::sorted("x", "pub mod v10;"),
            "pub mod v10;\npub mod v2;\n// +kb:scaffold:x\n",
        );
    }

    #[test]
    fn appends_to_an_unsorted_list() {
        check(
            "pub mod d;\npub mod b;\n// +kb:scaffold:x\n",
            &Insertion::sorted("x", "pub mod c;"),
            "pub mod d;\npub mod b;\npub mod c;\n// +kb:scaffold:x\n",
        );
    }

    #[test]
    fn ignores_commented_out_lines() {
        check(
            "// mod b;\n// +kb:scaffold:x\n",
            &Insertion::last("x", "mod b;"),
            "// mod b;\nmod b;\n// +kb:scaffold:x\n",
        );
    }

    #[test]
    fn removing_an_absent_insertion_is_a_no_op() {
        let text = "mod bc;\n// mod b;\nmod a; // mod b;\n";
        assert_eq!(Insertion::last("x", "mod b;").remove_from(text), text);
        let modified = "a(\n    c,\n);\n";
        let insertion = Insertion::last("x", "a(\n    b,\n);");
        assert_eq!(insertion.remove_from(modified), modified);
    }

    #[test]
    fn accepts_a_file_without_a_final_newline() {
        check(
            "// +kb:scaffold:x",
            &Insertion::last("x", "mod b;"),
            "mod b;\n// +kb:scaffold:x",
        );
    }

    #[test]
    fn rejects_missing_and_repeated_markers() {
        let path = RelPath::new("a.yaml");
        let insertion = Insertion::last("x", "- b");
        assert_eq!(insert(&path, "a\n", &insertion), Err(InsertError::Missing));
        let twice = "# +kb:scaffold:x\n# +kb:scaffold:x\n";
        assert_eq!(
            insert(&path, twice, &insertion),
            Err(InsertError::Repeated("1, 2".to_owned()))
        );
    }
}
