//! Unified diffs.

use similar::TextDiff;

use crate::plan::{Action, Change};

/// Returns the unified diff of a change.
pub(super) fn unified(change: &Change) -> String {
    let before = change.before.as_deref().unwrap_or_default();
    let old = match change.before {
        Some(_) => format!("a/{}", change.path),
        None => "/dev/null".to_owned(),
    };
    let new = match change.action {
        Action::Remove => "/dev/null".to_owned(),
        _ => format!("b/{}", change.path),
    };
    TextDiff::from_lines(before, &change.after)
        .unified_diff()
        .header(&old, &new)
        .to_string()
}

/// Returns the unified diff of two named texts.
pub(crate) fn difference(names: [&str; 2], texts: [&str; 2]) -> String {
    TextDiff::from_lines(texts[0], texts[1])
        .unified_diff()
        .header(names[0], names[1])
        .to_string()
}
