//! Brings a change of kb-rs's own text into a file that the user may have changed.

use diffy::{ConflictStyle, MergeOptions};

/// `current` with what differs between `ancestor` and `wanted`; none, if the user changed the same place in another way.
pub fn merged(ancestor: &str, current: &str, wanted: &str) -> Option<String> {
    if !current.contains("\r\n") {
        return merge(ancestor, current, wanted).ok();
    }
    let windows = |text: &str| text.replace('\n', "\r\n");
    merge(&windows(ancestor), current, &windows(wanted)).ok()
}

/// The same, but where the user changed the same place, what is wanted there takes its place.
pub(super) fn forced(ancestor: &str, current: &str, wanted: &str) -> String {
    if !current.contains("\r\n") {
        return merge(ancestor, current, wanted).unwrap_or_else(|marked| resolved(&marked));
    }
    let windows = |text: &str| text.replace('\n', "\r\n");
    merge(&windows(ancestor), current, &windows(wanted)).unwrap_or_else(|marked| resolved(&marked))
}

/// Longer than any line that files have.
const MARKER: usize = 64;

/// Gives the text with marked conflicts if there are any.
fn merge(ancestor: &str, current: &str, wanted: &str) -> Result<String, String> {
    MergeOptions::new()
        .set_conflict_style(ConflictStyle::Merge)
        .set_conflict_marker_length(MARKER)
        .merge(ancestor, current, wanted)
}

/// A text with marked conflicts in which what is wanted wins.
fn resolved(marked: &str) -> String {
    let begins = |line: &str, character: &str| line.starts_with(&character.repeat(MARKER));
    let mut is_theirs = true;
    let mut text = String::new();
    for line in marked.split_inclusive('\n') {
        if begins(line, "<") {
            is_theirs = false;
        } else if begins(line, "=") || begins(line, ">") {
            is_theirs = true;
        } else if is_theirs {
            text.push_str(line);
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    const ANCESTOR: &str = "a\nb\nc\nd\ne\n";
    const WANTED: &str = "a\nb\nC\nd\ne\n";

    #[track_caller]
    fn check(current: &str, expected: Option<&str>) {
        assert_eq!(merged(ANCESTOR, current, WANTED).as_deref(), expected);
    }

    #[test]
    fn what_the_user_changed_elsewhere_stays() {
        check("a!\nb\nc\nd\ne\nf\n", Some("a!\nb\nC\nd\ne\nf\n"));
    }

    #[test]
    fn a_change_that_was_made_by_hand_is_no_conflict() {
        check(WANTED, Some(WANTED));
        check("a\nb\nC\nd\ne\nf\n", Some("a\nb\nC\nd\ne\nf\n"));
    }

    #[test]
    fn another_change_in_the_same_place_is_a_conflict() {
        check("a\nb\nmine\nd\ne\n", None);
        check("a\nb\nd\ne\n", None);
    }

    #[test]
    fn only_the_place_of_a_conflict_is_lost_by_force() {
        let mine = "a!\nb\nmine\nd\ne\nf\n";
        assert_eq!(forced(ANCESTOR, mine, WANTED), "a!\nb\nC\nd\ne\nf\n");
        let windows = mine.replace('\n', "\r\n");
        let expected = "a!\nb\nC\nd\ne\nf\n".replace('\n', "\r\n");
        assert_eq!(forced(ANCESTOR, &windows, WANTED), expected);
    }

    #[test]
    fn line_endings_are_kept() {
        check(
            "a\r\nb\r\nc\r\nd\r\ne\r\n",
            Some("a\r\nb\r\nC\r\nd\r\ne\r\n"),
        );
    }

    #[test]
    fn there_and_back_again_is_the_same() {
        let mine = "a!\nb\nc\nd\ne\n";
        let there = merged(ANCESTOR, mine, WANTED).unwrap();
        assert_eq!(merged(WANTED, &there, ANCESTOR).as_deref(), Some(mine));
    }
}
