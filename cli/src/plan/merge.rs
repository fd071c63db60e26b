//! Brings a change of kb-rs's own text into a file that the user may have changed.

use diffy::MergeOptions;

/// `current` with what differs between `ancestor` and `wanted`; none, if the user changed the same place in another way.
pub fn merged(ancestor: &str, current: &str, wanted: &str) -> Option<String> {
    if !current.contains("\r\n") {
        return merge(ancestor, current, wanted);
    }
    let windows = |text: &str| text.replace('\n', "\r\n");
    merge(&windows(ancestor), current, &windows(wanted))
}

fn merge(ancestor: &str, current: &str, wanted: &str) -> Option<String> {
    MergeOptions::new().merge(ancestor, current, wanted).ok()
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
