//! One document of a manifest: comments, the line `---`, and the YAML.

use serde_json::{Map, Value};
use serde_saphyr::SerializerOptions;

use super::node::Node;

/// A manifest's text. `comments` are lines that begin with `#`, each with its newline.
pub(crate) fn document(comments: &str, value: &Value) -> String {
    let mut text = format!("{comments}---\n");
    write(value, &mut text);
    text
}

/// Fields of an object, to stand in a text of somebody else's; nothing, if there are none.
pub(crate) fn fields(fields: Map<String, Value>) -> String {
    let mut text = String::new();
    if !fields.is_empty() {
        write(&Value::Object(fields), &mut text);
    }
    text
}

fn write(value: &Value, text: &mut String) {
    let mut options = SerializerOptions::default();
    // These are the defaults, and what the safety of the text rests on.
    options.yaml_12 = false;
    options.compact_list_indent = true;
    options.prefer_block_scalars = true;
    // Folded text reads well and is hard to compare: a changed word would move every line behind it.
    options.folded_wrap_chars = usize::MAX;
    let yaml = serde_saphyr::to_string_with_options(&Node(value), options)
        .expect("a JSON value is a YAML value");

    text.reserve(yaml.len());
    for line in yaml.split_inclusive('\n') {
        // An empty line of a literal block is written with its indentation. Lines of blanks that matter are in quotes.
        let is_blank = line.bytes().all(|byte| matches!(byte, b' ' | b'\n'));
        text.push_str(if is_blank { "\n" } else { line });
    }
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
