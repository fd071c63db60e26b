//! Text from elsewhere, made harmless: what a terminal would act on is shown, not done.
//!
//! Paths, PROJECT, sources and servers' answers reach the terminal through messages. A control character in them could set the window
//! title, hide lines or forge others; a character that changes the direction of text could make a line read as another one.

use std::fmt::Write;

/// The text with control characters written as `\u{1b}`. Tabs stay, and so do line breaks, which messages have of their own: what
/// follows one is indented, so that it cannot pass for a message.
pub(super) fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '\n' => escaped.push_str("\n  "),
            '\t' => escaped.push('\t'),
            _ if is_acted_on(character) => {
                let _ = write!(escaped, "{}", character.escape_unicode());
            }
            _ => escaped.push(character),
        }
    }
    escaped
}

/// The JSON document with the same characters as JSON escapes them. They stand only in strings, and the line breaks between them stay.
pub(super) fn escaped_json(document: &str) -> String {
    let mut escaped = String::with_capacity(document.len());
    for character in document.chars() {
        match character {
            '\n' => escaped.push('\n'),
            _ if is_acted_on(character) => {
                let _ = write!(escaped, "\\u{:04x}", u32::from(character));
            }
            _ => escaped.push(character),
        }
    }
    escaped
}

fn is_acted_on(character: char) -> bool {
    character.is_control()
        || matches!(character, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

#[cfg(test)]
mod tests {
    use super::*;

    const HOSTILE: &str = "a\u{1b}]0;title\u{7}\r\u{9b}2J\u{7f}\u{202e}\tb\nerror: c";

    #[test]
    fn what_a_terminal_acts_on_is_shown() {
        assert_eq!(
            escaped(HOSTILE),
            "a\\u{1b}]0;title\\u{7}\\u{d}\\u{9b}2J\\u{7f}\\u{202e}\tb\n  error: c"
        );
        assert_eq!(escaped("größer, 漢字"), "größer, 漢字");
    }

    #[test]
    fn a_document_means_the_same() {
        let value = serde_json::json!({ HOSTILE: [HOSTILE] });
        let document = escaped_json(&serde_json::to_string_pretty(&value).unwrap());
        assert!(
            !document.chars().any(|c| is_acted_on(c) && c != '\n'),
            "{document:?}"
        );
        let read: serde_json::Value = serde_json::from_str(&document).unwrap();
        assert_eq!(read, value);
    }
}
