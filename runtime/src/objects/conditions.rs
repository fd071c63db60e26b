//! Conditions of a status, as `meta.SetStatusCondition` and its like treat them in Go. Pure, but for the time of a new condition.
//!
//! In the API write them as `#[kb(optional, list_map_key = "type")] conditions: Vec<Condition>`.

use std::borrow::Cow;

use k8s_openapi::{
    apimachinery::pkg::apis::meta::v1::{Condition, Time},
    jiff::Timestamp,
};

/// Characters that the API server takes in a message.
const LONGEST_MESSAGE: usize = 32_768;
/// Characters that the API server takes in a reason.
const LONGEST_REASON: usize = 1024;

/// The status of a condition. A `bool` is one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ConditionStatus {
    /// It is so.
    True,
    /// It is not so.
    False,
    /// It is not known.
    Unknown,
}

impl From<bool> for ConditionStatus {
    fn from(is_so: bool) -> Self {
        if is_so { Self::True } else { Self::False }
    }
}

impl ConditionStatus {
    /// As the API has it.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::True => "True",
            Self::False => "False",
            Self::Unknown => "Unknown",
        }
    }
}

/// The condition `Ready`, as of now. See [`condition`].
pub fn ready(
    status: impl Into<ConditionStatus>,
    reason: &str,
    message: impl Into<String>,
    generation: Option<i64>,
) -> Condition {
    condition("Ready", status, reason, message, generation)
}

/// A condition as of now, to be [`set`].
///
/// `type_` and `reason` are words for programs, in `CamelCase`; the message is for people. `generation` is the
/// `metadata.generation` of the object that was looked at.
///
/// The API server refuses a whole status for one bad word in it. A message that is too long is cut. A reason that is no word is a
/// mistake in the program: it panics in a debug build, so that a test finds it, and is mended in a release.
pub fn condition(
    type_: &str,
    status: impl Into<ConditionStatus>,
    reason: &str,
    message: impl Into<String>,
    generation: Option<i64>,
) -> Condition {
    let mended = mended_reason(reason);
    debug_assert_eq!(
        reason, mended,
        "a reason begins with a letter, and has letters, digits and `_` only"
    );
    debug_assert!(
        is_type(type_),
        "`{type_}` is no type of a condition: write `Ready`, or `example.com/Ready`"
    );
    let mut message = message.into();
    if let Some((end, _)) = message.char_indices().nth(LONGEST_MESSAGE) {
        message.truncate(end);
    }
    Condition {
        type_: type_.to_owned(),
        status: status.into().as_str().to_owned(),
        reason: mended.into_owned(),
        message,
        observed_generation: generation,
        last_transition_time: Time(Timestamp::now()),
    }
}

/// Puts a condition in, in place of the one of its type. The time of that one stays unless the status is another one. Says
/// whether anything changed.
pub fn set(conditions: &mut Vec<Condition>, new: Condition) -> bool {
    let Some(old) = conditions.iter_mut().find(|old| old.type_ == new.type_) else {
        conditions.push(new);
        return true;
    };
    let kept = if old.status == new.status {
        Condition {
            last_transition_time: old.last_transition_time.clone(),
            ..new
        }
    } else {
        new
    };
    let changed = *old != kept;
    *old = kept;
    changed
}

/// The condition of a type.
pub fn find<'a>(conditions: &'a [Condition], type_: &str) -> Option<&'a Condition> {
    conditions.iter().find(|condition| condition.type_ == type_)
}

/// Whether there is a condition of the type, and it is true.
pub fn is_true(conditions: &[Condition], type_: &str) -> bool {
    find(conditions, type_)
        .is_some_and(|condition| condition.status == ConditionStatus::True.as_str())
}

/// Takes out the condition of a type. Says whether there was one.
pub fn remove(conditions: &mut Vec<Condition>, type_: &str) -> bool {
    let before = conditions.len();
    conditions.retain(|condition| condition.type_ != type_);
    conditions.len() != before
}

/// `^[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?$`, and not too long.
fn mended_reason(reason: &str) -> Cow<'_, str> {
    let is_end = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let is_good = reason.len() <= LONGEST_REASON
        && reason.starts_with(|c: char| c.is_ascii_alphabetic())
        && reason.ends_with(is_end)
        && reason.chars().all(|c| is_end(c) || matches!(c, ',' | ':'));
    if is_good {
        return Cow::Borrowed(reason);
    }
    let word: String = reason.chars().filter(|c| is_end(*c)).collect();
    let word = word.trim_start_matches(|c: char| !c.is_ascii_alphabetic());
    if word.is_empty() {
        return Cow::Borrowed("Unknown");
    }
    Cow::Owned(word.chars().take(LONGEST_REASON).collect())
}

/// A word as in a label's name, or such a word behind a domain and `/`.
fn is_type(type_: &str) -> bool {
    let is_name = |name: &str| {
        name.starts_with(|c: char| c.is_ascii_alphanumeric())
            && name.ends_with(|c: char| c.is_ascii_alphanumeric())
            && name
                .chars()
                .all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.'))
    };
    match type_.split_once('/') {
        Some((domain, name)) => {
            is_name(domain)
                && !domain.contains(|c: char| c.is_ascii_uppercase() || c == '_')
                && is_name(name)
        }
        None => is_name(type_),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(second: i64, condition: Condition) -> Condition {
        Condition {
            last_transition_time: Time(Timestamp::from_second(second).unwrap()),
            ..condition
        }
    }

    fn start() -> Vec<Condition> {
        vec![
            at(100, ready(false, "Starting", "no pods", Some(1))),
            at(
                100,
                condition("Stalled", ConditionStatus::Unknown, "Starting", "", Some(1)),
            ),
        ]
    }

    #[test]
    fn the_time_changes_with_the_status_only() {
        let cases = [
            (
                "the same later",
                ready(false, "Starting", "no pods", Some(1)),
                false,
                100,
            ),
            (
                "another message",
                ready(false, "Starting", "one pod", Some(1)),
                true,
                100,
            ),
            (
                "another reason",
                ready(false, "Scaling", "no pods", Some(1)),
                true,
                100,
            ),
            (
                "another generation",
                ready(false, "Starting", "no pods", Some(2)),
                true,
                100,
            ),
            (
                "no generation",
                ready(false, "Starting", "no pods", None),
                true,
                100,
            ),
            (
                "another status",
                ready(true, "Starting", "no pods", Some(1)),
                true,
                200,
            ),
            (
                "unknown",
                ready(ConditionStatus::Unknown, "Lost", "", Some(1)),
                true,
                200,
            ),
        ];
        for (name, new, changes, second) in cases {
            let mut conditions = start();
            let new = at(200, new);
            assert_eq!(set(&mut conditions, new.clone()), changes, "{name}");
            assert_eq!(conditions[0], at(second, new), "{name}");
            assert_eq!(
                conditions[1..],
                start()[1..],
                "{name}: others stay, and the order"
            );
        }
    }

    #[test]
    fn a_new_type_is_added_at_the_end() {
        let mut conditions = start();
        let new = at(
            200,
            condition("example.com/Backed-Up", true, "Done", "", None),
        );
        assert!(set(&mut conditions, new.clone()));
        assert_eq!(conditions.len(), 3);
        assert_eq!(conditions[2], new);
    }

    #[test]
    fn conditions_are_found_and_removed_by_type() {
        let mut conditions = start();
        assert_eq!(find(&conditions, "Ready").unwrap().reason, "Starting");
        assert!(find(&conditions, "ready").is_none());
        assert!(!is_true(&conditions, "Ready"));
        assert!(!is_true(&conditions, "Stalled"), "unknown is not true");
        set(&mut conditions, ready(true, "Done", "", None));
        assert!(is_true(&conditions, "Ready"));
        assert!(remove(&mut conditions, "Ready"));
        assert!(!remove(&mut conditions, "Ready"));
        assert_eq!(conditions.len(), 1);
    }

    #[test]
    fn a_bad_reason_is_mended_and_a_long_message_cut() {
        let cases = [
            ("AllGood", "AllGood"),
            ("Error:E1,E2", "Error:E1,E2"),
            ("not found!", "notfound"),
            ("404NotFound", "NotFound"),
            ("Bad:", "Bad"),
            ("", "Unknown"),
            ("ä", "Unknown"),
        ];
        for (reason, expected) in cases {
            assert_eq!(mended_reason(reason), expected);
        }
        assert_eq!(mended_reason(&"a".repeat(2000)).len(), 1024);
        let message = ready(true, "Done", "ä".repeat(40_000), None).message;
        assert_eq!(message.chars().count(), 32_768);
    }

    #[test]
    fn types_are_words_with_or_without_a_domain() {
        for good in ["Ready", "example.com/Ready", "R"] {
            assert!(is_type(good), "{good}");
        }
        for bad in [
            "",
            "not ready",
            "Ready/",
            "/Ready",
            "Example.com/Ready",
            "a/b/c",
            "-a",
        ] {
            assert!(!is_type(bad), "{bad}");
        }
    }

    #[test]
    #[should_panic(expected = "a reason begins with a letter")]
    fn a_bad_reason_is_found_by_tests() {
        ready(true, "it is done", "", None);
    }
}
