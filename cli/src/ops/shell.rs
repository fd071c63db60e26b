//! Shell quoting.

use std::path::Path;

/// Quotes a path for a POSIX shell where necessary.
pub(crate) fn quoted(path: &Path) -> String {
    let text = path.display().to_string();
    let is_plain = |any: char| any.is_alphanumeric() || "._-/\\:~".contains(any);
    if text.chars().all(is_plain) {
        text
    } else {
        format!("'{}'", text.replace('\'', r"'\''"))
    }
}
