//! The text of a change, as a unified diff.

use similar::TextDiff;

use crate::plan::Change;

/// The unified diff of one file, without colour.
pub(super) fn unified(change: &Change) -> String {
    let before = change.before.as_deref().unwrap_or_default();
    let old = match change.before {
        Some(_) => format!("a/{}", change.path),
        None => "/dev/null".to_owned(),
    };
    TextDiff::from_lines(before, &change.after)
        .unified_diff()
        .header(&old, &format!("b/{}", change.path))
        .to_string()
}
