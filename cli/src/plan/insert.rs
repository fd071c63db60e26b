//! Puts text before a scaffold marker, once.
//!
//! A marker is a comment line of its own, `// +kb:scaffold:NAME` or `# +kb:scaffold:NAME`. Text that is in the file already is
//! not put in again; a marker that is gone, or there twice, is a conflict. Everything else in the file stays as it is, byte for
//! byte, line endings included.

use std::ops::Range;

use super::{RelPath, rustfmt_order};

/// Where among its siblings a line goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Order {
    /// Right before the marker.
    Last,
    /// Where rustfmt would put it, if the lines above the marker are in order; otherwise right before the marker.
    Sorted,
}

/// Text to insert.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Insertion {
    /// The marker's name.
    pub marker: &'static str,
    /// One or more lines, without the marker's indentation and without a final newline.
    pub text: String,
    /// Where it goes.
    pub order: Order,
}

impl Insertion {
    /// Text that goes right before the marker.
    pub fn last(marker: &'static str, text: impl Into<String>) -> Self {
        Self {
            marker,
            text: text.into(),
            order: Order::Last,
        }
    }

    /// A line that goes to its place in the sorted lines above the marker.
    pub fn sorted(marker: &'static str, text: impl Into<String>) -> Self {
        Self {
            marker,
            text: text.into(),
            order: Order::Sorted,
        }
    }

    /// Whether `text` holds it.
    pub fn is_in(&self, text: &str) -> bool {
        position(text, &self.text).is_some()
    }

    /// `text` without it.
    pub fn taken_out_of(&self, text: &str) -> String {
        take_out(text, self)
    }

    /// The marker as it stands in the file.
    pub fn marker_line(&self, path: &RelPath) -> String {
        format!("{} +kb:scaffold:{}", path.comment(), self.marker)
    }
}

/// Why text cannot be inserted.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum InsertError {
    /// There is no such marker.
    Missing,
    /// The marker stands on these lines.
    Repeated(String),
}

/// `text` with the insertion, or as it is if it holds it already.
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

/// `text` without the insertion: the opposite of [`insert`]. Text that does not hold it stays as it is.
pub(super) fn take_out(text: &str, insertion: &Insertion) -> String {
    let mut text = text.to_owned();
    if let Some(lines) = position(&text, &insertion.text) {
        text.replace_range(lines, "");
    }
    text
}

/// Where the lines of `fragment` stand in `text`, one after the other, whatever their indentation.
fn position(text: &str, fragment: &str) -> Option<Range<usize>> {
    let first = fragment.lines().next().unwrap_or_default().trim();
    text.match_indices(first).find_map(|(found, _)| {
        let start = text[..found].rfind('\n').map_or(0, |end| end + 1);
        let mut end = start;
        let mut lines = text[start..].split_inclusive('\n');
        for wanted in fragment.lines() {
            let line = lines.next()?;
            if line.trim() != wanted.trim() {
                return None;
            }
            end += line.len();
        }
        Some(start..end)
    })
}

/// Where the one line begins that is the marker.
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

/// Where `line` belongs among the lines directly above the marker that begin as it does.
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
    let behind = &siblings[siblings.partition_point(|sibling| in_order(sibling, line))..];
    above.len() - behind.iter().map(|sibling| sibling.len()).sum::<usize>()
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
            "the second time"
        );
        if once != text {
            assert_eq!(take_out(&once, insertion), text, "taken out again");
        }
    }

    #[test]
    fn text_goes_before_the_marker_with_its_indentation() {
        check(
            "fn main() {\n    // +kb:scaffold:x\n}\n",
            &Insertion::last("x", "a(\n    b,\n);"),
            "fn main() {\n    a(\n        b,\n    );\n    // +kb:scaffold:x\n}\n",
        );
    }

    #[test]
    fn windows_line_endings_are_kept() {
        check(
            "mod a;\r\n// +kb:scaffold:x\r\n",
            &Insertion::last("x", "mod b;"),
            "mod a;\r\nmod b;\r\n// +kb:scaffold:x\r\n",
        );
    }

    #[test]
    fn a_sorted_list_stays_sorted() {
        check(
            "use z;\n\npub mod b;\npub mod d;\n// +kb:scaffold:x\n",
            &Insertion::sorted("x", "pub mod c;"),
            "use z;\n\npub mod b;\npub mod c;\npub mod d;\n// +kb:scaffold:x\n",
        );
    }

    #[test]
    fn lists_are_sorted_as_rustfmt_sorts_them() {
        check(
            "pub mod v2;\n// +kb:scaffold:x\n",
            &Insertion::sorted("x", "pub mod v10;"),
            "pub mod v10;\npub mod v2;\n// +kb:scaffold:x\n",
        );
    }

    #[test]
    fn a_list_in_the_users_own_order_is_only_added_to() {
        check(
            "pub mod d;\npub mod b;\n// +kb:scaffold:x\n",
            &Insertion::sorted("x", "pub mod c;"),
            "pub mod d;\npub mod b;\npub mod c;\n// +kb:scaffold:x\n",
        );
    }

    #[test]
    fn what_is_commented_out_is_not_there() {
        check(
            "// mod b;\n// +kb:scaffold:x\n",
            &Insertion::last("x", "mod b;"),
            "// mod b;\nmod b;\n// +kb:scaffold:x\n",
        );
    }

    #[test]
    fn what_is_not_there_cannot_be_taken_out() {
        let text = "mod bc;\n// mod b;\nmod a; // mod b;\n";
        assert_eq!(take_out(text, &Insertion::last("x", "mod b;")), text);
        let half = "a(\n    c,\n);\n";
        let insertion = Insertion::last("x", "a(\n    b,\n);");
        assert_eq!(take_out(half, &insertion), half);
    }

    #[test]
    fn a_file_without_a_final_newline_is_no_obstacle() {
        check(
            "// +kb:scaffold:x",
            &Insertion::last("x", "mod b;"),
            "mod b;\n// +kb:scaffold:x",
        );
    }

    #[test]
    fn a_marker_that_is_gone_or_repeated_is_an_error() {
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
