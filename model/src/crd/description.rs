//! Truncates descriptions like controller-gen.
//!
//! Lengths are in bytes. Unlike controller-gen, never splits a character.

use serde_json::{Map, Value};

use super::terminal::ends_sentence;

/// Truncates the descriptions of a finished CRD, like [`Options::max_desc_len`](super::Options::max_desc_len).
pub fn limit_descriptions(crd: &mut Value, max_len: usize) {
    let versions = crd
        .pointer_mut("/spec/versions")
        .and_then(Value::as_array_mut);
    for version in versions.into_iter().flatten() {
        if let Some(schema) = version.pointer_mut("/schema/openAPIV3Schema") {
            truncate_value(schema, max_len);
        }
    }
}

/// Truncates the descriptions of a schema; 0 removes them.
pub(super) fn truncate(schema: &mut Map<String, Value>, max_len: usize) {
    if max_len == 0 {
        schema.remove("description");
    } else if let Some(Value::String(text)) = schema.get_mut("description")
        && text.len() > max_len
    {
        *text = truncate_text(text, max_len);
    }
    for (keyword, value) in schema.iter_mut() {
        match (keyword.as_str(), value) {
            ("properties", Value::Object(properties)) => {
                for property in properties.values_mut() {
                    truncate_value(property, max_len);
                }
            }
            ("items" | "additionalProperties" | "not", value) => truncate_value(value, max_len),
            ("allOf" | "anyOf" | "oneOf", Value::Array(parts)) => {
                for part in parts {
                    truncate_value(part, max_len);
                }
            }
            _ => {}
        }
    }
}

fn truncate_value(schema: &mut Value, max_len: usize) {
    if let Value::Object(keywords) = schema {
        truncate(keywords, max_len);
    }
}

/// Returns the text up to the last end of a sentence, otherwise the last space, otherwise the limit.
fn truncate_text(text: &str, max_len: usize) -> String {
    let end = (0..=max_len).rev().find(|end| text.is_char_boundary(*end));
    let text = &text[..end.unwrap_or(0)];
    let last = |is: fn(char) -> bool| text.char_indices().rev().find(|(at, c)| *at > 0 && is(*c));
    // Ignores a match at the start.
    if let Some((at, c)) = last(ends_sentence) {
        return text[..at + c.len_utf8()].to_owned();
    }
    let end = last(char::is_whitespace).map_or(text.len(), |(at, _)| at);
    format!("{}...", &text[..end])
}
