//! Three-way merges of a scaffolded text into a file that the user may have modified.

use diffy::{ConflictStyle, MergeOptions};

/// Returns `current` with the changes from `ancestor` to `desired`, or `None` on a conflict with changes of the user.
pub fn three_way_merge(ancestor: &str, current: &str, desired: &str) -> Option<String> {
    merge(ancestor, current, desired).ok()
}

/// Merges like [`three_way_merge`], and resolves conflicts in favor of `desired`.
pub(super) fn forced_merge(ancestor: &str, current: &str, desired: &str) -> String {
    merge(ancestor, current, desired).unwrap_or_else(|marked| resolve_conflicts(&marked))
}

/// Longer than any line of a scaffolded file.
const MARKER_LENGTH: usize = 64;

/// Merges with the line endings of `current`; the error is the text with conflict markers.
fn merge(ancestor: &str, current: &str, desired: &str) -> Result<String, String> {
    let mut options = MergeOptions::new();
    options
        .set_conflict_style(ConflictStyle::Merge)
        .set_conflict_marker_length(MARKER_LENGTH);
    if current.contains("\r\n") {
        let crlf = |text: &str| text.replace('\n', "\r\n");
        options.merge(&crlf(ancestor), current, &crlf(desired))
    } else {
        options.merge(ancestor, current, desired)
    }
}

/// Resolves marked conflicts in favor of the desired text, the second side.
fn resolve_conflicts(marked: &str) -> String {
    let is_marker =
        |line: &str, character: &str| line.starts_with(&character.repeat(MARKER_LENGTH));
    let mut keep = true;
    let mut text = String::new();
    for line in marked.split_inclusive('\n') {
        if is_marker(line, "<") {
            keep = false;
        } else if is_marker(line, "=") || is_marker(line, ">") {
            keep = true;
        } else if keep {
            text.push_str(line);
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    const ANCESTOR: &str = "a\nb\nc\nd\ne\n";
    const DESIRED: &str = "a\nb\nC\nd\ne\n";

    #[track_caller]
    fn check(current: &str, expected: Option<&str>) {
        let merged = three_way_merge(ANCESTOR, current, DESIRED);
        assert_eq!(merged.as_deref(), expected);
    }

    #[test]
    fn keeps_changes_of_the_user_elsewhere() {
        check("a!\nb\nc\nd\ne\nf\n", Some("a!\nb\nC\nd\ne\nf\n"));
    }

    #[test]
    fn accepts_a_change_already_made_by_hand() {
        check(DESIRED, Some(DESIRED));
        check("a\nb\nC\nd\ne\nf\n", Some("a\nb\nC\nd\ne\nf\n"));
    }

    #[test]
    fn conflicts_with_another_change_of_the_same_lines() {
        check("a\nb\nmine\nd\ne\n", None);
        check("a\nb\nd\ne\n", None);
    }

    #[test]
    fn a_forced_merge_overwrites_conflicting_lines_only() {
        let current = "a!\nb\nmine\nd\ne\nf\n";
        let expected = "a!\nb\nC\nd\ne\nf\n";
        assert_eq!(forced_merge(ANCESTOR, current, DESIRED), expected);
        let crlf = |text: &str| text.replace('\n', "\r\n");
        assert_eq!(
            forced_merge(ANCESTOR, &crlf(current), DESIRED),
            crlf(expected)
        );
    }

    #[test]
    fn keeps_line_endings() {
        check(
            "a\r\nb\r\nc\r\nd\r\ne\r\n",
            Some("a\r\nb\r\nC\r\nd\r\ne\r\n"),
        );
    }

    #[test]
    fn a_reverted_merge_restores_the_text() {
        let current = "a!\nb\nc\nd\ne\n";
        let merged = three_way_merge(ANCESTOR, current, DESIRED).unwrap();
        let reverted = three_way_merge(DESIRED, &merged, ANCESTOR);
        assert_eq!(reverted.as_deref(), Some(current));
    }
}
