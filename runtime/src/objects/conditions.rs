//! Status conditions, with the semantics of `meta.SetStatusCondition` in Go.
//!
//! Declare them in the status as `#[kb(optional, list_map_key = "type")] conditions: Vec<Condition>`.
//!
//! ```
//! use kb::objects::conditions;
//!
//! let mut conditions = Vec::new();
//! assert!(conditions::set(&mut conditions, conditions::ready(false, "Starting", "0 of 2 pods ready", Some(1))));
//! assert!(!conditions::is_true(&conditions, "Ready"));
//!
//! // Returns whether the conditions changed.
//! assert!(conditions::set(&mut conditions, conditions::ready(true, "Running", "2 of 2 pods ready", Some(1))));
//! assert!(!conditions::set(&mut conditions, conditions::ready(true, "Running", "2 of 2 pods ready", Some(1))));
//! ```

use std::borrow::Cow;

use k8s_openapi::{
    apimachinery::pkg::apis::meta::v1::{Condition, Time},
    jiff::Timestamp,
};

/// Characters accepted by the API server.
const MAX_MESSAGE: usize = 32_768;
/// Characters accepted by the API server.
const MAX_REASON: usize = 1024;

/// Status of a condition. Converts from `bool`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ConditionStatus {
    /// `True`
    True,
    /// `False`
    False,
    /// `Unknown`
    Unknown,
}

impl From<bool> for ConditionStatus {
    fn from(status: bool) -> Self {
        if status { Self::True } else { Self::False }
    }
}

impl ConditionStatus {
    /// Returns the value of the field `status`.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::True => "True",
            Self::False => "False",
            Self::Unknown => "Unknown",
        }
    }
}

/// Creates the condition `Ready`, see [`condition`].
pub fn ready(
    status: impl Into<ConditionStatus>,
    reason: &str,
    message: impl Into<String>,
    generation: Option<i64>,
) -> Condition {
    condition("Ready", status, reason, message, generation)
}

/// Creates a condition with the current time, to be passed to [`set`].
///
/// `type_` and `reason` are machine-readable, in `CamelCase`; `message` is human-readable. `generation` is the `metadata.generation` of the
/// reconciled object.
///
/// The API server rejects a status with an invalid condition. So a message that is too long is truncated. In release builds, an invalid
/// reason is sanitized.
///
/// # Panics
///
/// Panics in debug builds if `type_` or `reason` is invalid, so that tests find it.
pub fn condition(
    type_: &str,
    status: impl Into<ConditionStatus>,
    reason: &str,
    message: impl Into<String>,
    generation: Option<i64>,
) -> Condition {
    let sanitized = sanitize_reason(reason);
    debug_assert_eq!(
        reason, sanitized,
        "a reason starts with a letter and consists of letters, digits and `_`"
    );
    debug_assert!(
        is_type(type_),
        "invalid condition type `{type_}`: use a name such as `Ready` or `example.com/Ready`"
    );
    let mut message = message.into();
    if let Some((end, _)) = message.char_indices().nth(MAX_MESSAGE) {
        message.truncate(end);
    }
    Condition {
        type_: type_.to_owned(),
        status: status.into().as_str().to_owned(),
        reason: sanitized.into_owned(),
        message,
        observed_generation: generation,
        last_transition_time: Time(Timestamp::now()),
    }
}

/// Adds a condition or replaces the one of the same type. Returns whether the conditions changed.
///
/// Keeps the transition time of the existing condition unless the status changes.
pub fn set(conditions: &mut Vec<Condition>, new: Condition) -> bool {
    let Some(old) = conditions.iter_mut().find(|old| old.type_ == new.type_) else {
        conditions.push(new);
        return true;
    };
    let new = if old.status == new.status {
        Condition {
            last_transition_time: old.last_transition_time.clone(),
            ..new
        }
    } else {
        new
    };
    let changed = *old != new;
    *old = new;
    changed
}

/// Returns the condition of a type.
pub fn find<'a>(conditions: &'a [Condition], type_: &str) -> Option<&'a Condition> {
    conditions.iter().find(|condition| condition.type_ == type_)
}

/// Returns whether the condition of a type exists and is true.
pub fn is_true(conditions: &[Condition], type_: &str) -> bool {
    find(conditions, type_)
        .is_some_and(|condition| condition.status == ConditionStatus::True.as_str())
}

/// Removes the condition of a type. Returns whether it existed.
pub fn remove(conditions: &mut Vec<Condition>, type_: &str) -> bool {
    let before = conditions.len();
    conditions.retain(|condition| condition.type_ != type_);
    conditions.len() != before
}

/// Makes a reason match `^[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?$` and the maximum length.
fn sanitize_reason(reason: &str) -> Cow<'_, str> {
    let is_end = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let is_valid = reason.len() <= MAX_REASON
        && reason.starts_with(|c: char| c.is_ascii_alphabetic())
        && reason.ends_with(is_end)
        && reason.chars().all(|c| is_end(c) || matches!(c, ',' | ':'));
    if is_valid {
        return Cow::Borrowed(reason);
    }
    let word: String = reason.chars().filter(|c| is_end(*c)).collect();
    let word = word.trim_start_matches(|c: char| !c.is_ascii_alphabetic());
    if word.is_empty() {
        return Cow::Borrowed("Unknown");
    }
    Cow::Owned(word.chars().take(MAX_REASON).collect())
}

/// Returns whether a type has the syntax of a label key.
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
    fn the_transition_time_changes_with_the_status_only() {
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
                "{name}: other conditions are unchanged"
            );
        }
    }

    #[test]
    fn a_new_type_is_appended() {
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
    fn sanitizes_invalid_reasons_and_truncates_messages() {
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
            assert_eq!(sanitize_reason(reason), expected);
        }
        assert_eq!(sanitize_reason(&"a".repeat(2000)).len(), 1024);
        let message = ready(true, "Done", "ä".repeat(40_000), None).message;
        assert_eq!(message.chars().count(), 32_768);
    }

    #[test]
    fn a_type_has_the_syntax_of_a_label_key() {
        for valid in ["Ready", "example.com/Ready", "R"] {
            assert!(is_type(valid), "{valid}");
        }
        for invalid in [
            "",
            "not ready",
            "Ready/",
            "/Ready",
            "Example.com/Ready",
            "a/b/c",
            "-a",
        ] {
            assert!(!is_type(invalid), "{invalid}");
        }
    }

    #[test]
    #[should_panic(expected = "a reason starts with a letter")]
    fn an_invalid_reason_panics_in_debug_builds() {
        ready(true, "it is done", "", None);
    }
}
