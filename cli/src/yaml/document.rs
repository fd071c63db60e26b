//! One document: written, read, and what can stand in the comments above it.

use serde_json::{Map, Value};

use super::Writer;

/// A manifest's text. `comments` are lines that begin with `#`, each with its newline.
pub(crate) fn document(comments: &str, value: &Value) -> String {
    Writer::default().document(comments, value)
}

/// Fields of an object, to stand in a text of somebody else's; nothing, if there are none.
pub(crate) fn fields(fields: &Map<String, Value>) -> String {
    let mut text = String::new();
    Writer::default().fields(fields, 0, &mut text);
    text
}

/// What a document of kb-rs's own says; none if it is none.
pub(crate) fn read(text: &str) -> Option<Value> {
    serde_saphyr::from_str(text).ok()
}

/// Whether the text can stand in a comment: YAML allows no control characters and no byte order mark in a document.
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
