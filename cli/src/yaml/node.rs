//! A JSON value as serde-saphyr shall write it: keys sorted, strings of several lines as literal blocks where that is safe.
//!
//! A literal block keeps what stands at the end of its lines only as long as no editor strips it, needs a number where the first line
//! is indented, and is refused by kubectl where that line begins with a tab. Such strings are written in double quotes.

use serde::ser::{Serialize, SerializeMap, SerializeSeq, Serializer};
use serde_json::Value;
use serde_saphyr::DoubleQuoted;

/// A value to write.
pub(super) struct Node<'a>(pub(super) &'a Value);

impl Serialize for Node<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0 {
            Value::Null => serializer.serialize_unit(),
            Value::Bool(value) => serializer.serialize_bool(*value),
            Value::Number(number) => number.serialize(serializer),
            Value::String(text) if text.contains('\n') && !reads_as_block(text) => {
                DoubleQuoted(text).serialize(serializer)
            }
            Value::String(text) => serializer.serialize_str(text),
            Value::Array(items) => {
                let mut sequence = serializer.serialize_seq(Some(items.len()))?;
                for item in items {
                    sequence.serialize_element(&Node(item))?;
                }
                sequence.end()
            }
            Value::Object(fields) => {
                // serde_json's own order depends on a feature that any crate in the build may switch on.
                let mut fields: Vec<_> = fields.iter().collect();
                fields.sort_unstable_by_key(|(key, _)| *key);
                let mut map = serializer.serialize_map(Some(fields.len()))?;
                for (key, value) in fields {
                    map.serialize_entry(key, &Node(value))?;
                }
                map.end()
            }
        }
    }
}

/// Whether a literal block holds the text safely, and without blanks at the end of a line.
fn reads_as_block(text: &str) -> bool {
    let content = text.strip_suffix('\n').unwrap_or(text);
    !content.starts_with(char::is_whitespace)
        && content.split('\n').all(|line| !line.ends_with([' ', '\t']))
        && !content.ends_with('\n')
}
