//! YAML documents and their comments.

use serde_json::{Map, Value};

use super::Writer;

/// Renders a document below `comments`, which are lines that start with `#` and end with a newline.
pub(crate) fn document(comments: &str, value: &Value) -> String {
    Writer::default().document(comments, value)
}

/// Renders the fields of an object without a document start.
pub(crate) fn fields(fields: &Map<String, Value>) -> String {
    let mut text = String::new();
    Writer::default().fields(fields, 0, &mut text);
    text
}

/// Parses a generated document; returns `None` if it is invalid.
pub(crate) fn read(text: &str) -> Option<Value> {
    serde_saphyr::from_str(text).ok()
}

/// Returns whether a comment may contain the text: YAML forbids control characters and byte order marks.
pub(crate) fn is_comment_text(text: &str) -> bool {
    text.chars().all(|character| {
        character == '\t'
            || !(character.is_control()
                || matches!(
                    character,
                    '\u{2028}' | '\u{2029}' | '\u{feff}' | '\u{fffe}' | '\u{ffff}'
                ))
    })
}
