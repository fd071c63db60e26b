//! Escapes untrusted text for terminals.
//!
//! Messages quote paths, PROJECT, sources and server responses. Control characters in them could set the window title or
//! hide and forge lines; bidirectional formatting characters could make a line read differently.

use std::fmt::Write;

/// Escapes control characters as `\u{1b}`. Keeps tabs and line breaks, but indents continuation lines, so that they
/// cannot pass for a message.
pub(super) fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '\n' => escaped.push_str("\n  "),
            '\t' => escaped.push('\t'),
            _ if is_unsafe(character) => {
                let _ = write!(escaped, "{}", character.escape_unicode());
            }
            _ => escaped.push(character),
        }
    }
    escaped
}

/// Escapes the same characters in a JSON document with JSON escapes; line breaks occur only between tokens.
pub(super) fn escaped_json(document: &str) -> String {
    let mut escaped = String::with_capacity(document.len());
    for character in document.chars() {
        match character {
            '\n' => escaped.push('\n'),
            _ if is_unsafe(character) => {
                let _ = write!(escaped, "\\u{:04x}", u32::from(character));
            }
            _ => escaped.push(character),
        }
    }
    escaped
}

fn is_unsafe(character: char) -> bool {
    character.is_control()
        || matches!(character, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

#[cfg(test)]
mod tests {
    use super::*;

    const HOSTILE: &str = "a\u{1b}]0;title\u{7}\r\u{9b}2J\u{7f}\u{202e}\tb\nerror: c";

    #[test]
    fn escapes_control_and_bidi_characters() {
        assert_eq!(
            escaped(HOSTILE),
            "a\\u{1b}]0;title\\u{7}\\u{d}\\u{9b}2J\\u{7f}\\u{202e}\tb\n  error: c"
        );
        assert_eq!(escaped("größer, 漢字"), "größer, 漢字");
    }

    #[test]
    fn escaped_json_parses_to_the_same_value() {
        let value = serde_json::json!({ HOSTILE: [HOSTILE] });
        let document = escaped_json(&serde_json::to_string_pretty(&value).unwrap());
        assert!(
            !document.chars().any(|c| is_unsafe(c) && c != '\n'),
            "{document:?}"
        );
        let read: serde_json::Value = serde_json::from_str(&document).unwrap();
        assert_eq!(read, value);
    }
}
