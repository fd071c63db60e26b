//! The YAML writer: sorted keys, and literal blocks for multi-line strings where safe.
//!
//! serde-saphyr renders each distinct key and string once; the writer caches and indents them. CRDs repeat few distinct
//! strings, so this is several times faster than serializing whole documents.
//!
//! A literal block is unsafe if lines end in blanks, which editors strip, or if the first line is indented, which requires
//! an indentation indicator and, for a tab, is rejected by kubectl. Such strings are double-quoted.

use std::{
    collections::{BTreeMap, HashMap},
    fmt::Write,
};

use serde::Serialize;
use serde_json::{Map, Value};
use serde_saphyr::{DoubleQuoted, SerializerOptions};

/// Writes documents and caches rendered strings.
#[derive(Default)]
pub(crate) struct Writer<'v> {
    /// Keys with their colons.
    keys: HashMap<&'v str, String>,
    /// Values with their newlines, as rendered after an unindented key.
    values: HashMap<&'v str, String>,
}

impl<'v> Writer<'v> {
    /// Renders a document below `comments`, which are lines that start with `#` and end with a newline.
    pub(crate) fn document(&mut self, comments: &str, value: &'v Value) -> String {
        let mut text = format!("{comments}---\n");
        match value {
            Value::Object(fields) if !fields.is_empty() => self.fields(fields, 0, &mut text),
            Value::Array(items) if !items.is_empty() => self.items(items, 0, &mut text),
            scalar => self.scalar(scalar, 0, &mut text),
        }
        text
    }

    /// Appends the fields of an object, the first one without indentation.
    pub(super) fn fields(
        &mut self,
        fields: &'v Map<String, Value>,
        indent: usize,
        text: &mut String,
    ) {
        // The order of serde_json's maps depends on a feature that any crate in the build may enable.
        let mut fields: Vec<_> = fields.iter().collect();
        fields.sort_unstable_by_key(|(key, _)| *key);
        for (position, (key, value)) in fields.into_iter().enumerate() {
            if position > 0 {
                push_blanks(indent, text);
            }
            push_lines(self.key(key), indent, text);
            match value {
                Value::Object(fields) if !fields.is_empty() => {
                    text.push('\n');
                    push_blanks(indent + 2, text);
                    self.fields(fields, indent + 2, text);
                }
                Value::Array(items) if !items.is_empty() => {
                    text.push('\n');
                    push_blanks(indent, text);
                    self.items(items, indent, text);
                }
                scalar => {
                    text.push(' ');
                    self.scalar(scalar, indent, text);
                }
            }
        }
    }

    /// Appends the items of a list, the first one without indentation.
    fn items(&mut self, items: &'v [Value], indent: usize, text: &mut String) {
        for (position, item) in items.iter().enumerate() {
            if position > 0 {
                push_blanks(indent, text);
            }
            text.push_str("- ");
            match item {
                Value::Object(fields) if !fields.is_empty() => {
                    self.fields(fields, indent + 2, text);
                }
                Value::Array(items) if !items.is_empty() => self.items(items, indent + 2, text),
                scalar => self.scalar(scalar, indent, text),
            }
        }
    }

    /// Appends a scalar or an empty collection with its newline; further lines are indented.
    fn scalar(&mut self, value: &'v Value, indent: usize, text: &mut String) {
        match value {
            Value::String(string) => push_lines(self.value(string), indent, text),
            Value::Bool(flag) => text.push_str(if *flag { "true\n" } else { "false\n" }),
            Value::Number(number) if !number.is_f64() => {
                let _ = writeln!(text, "{number}");
            }
            other => text.push_str(&rendered_value(other)),
        }
    }

    fn key(&mut self, key: &'v str) -> &str {
        self.keys.entry(key).or_insert_with(|| {
            let line = rendered(&BTreeMap::from([(key, 0)]));
            line.strip_suffix(" 0\n").unwrap_or(&line).to_owned()
        })
    }

    fn value(&mut self, string: &'v str) -> &str {
        self.values.entry(string).or_insert_with(|| {
            if string.contains('\n') && !is_block_safe(string) {
                rendered_value(&DoubleQuoted(string))
            } else {
                rendered_value(string)
            }
        })
    }
}

/// Renders a value as after a key.
fn rendered_value<T: Serialize + ?Sized>(value: &T) -> String {
    let line = rendered(&BTreeMap::from([("a", value)]));
    line.strip_prefix("a: ").unwrap_or(&line).to_owned()
}

fn rendered(document: &impl Serialize) -> String {
    let mut options = SerializerOptions::default();
    // These are the defaults; the output depends on them.
    options.yaml_12 = false;
    options.prefer_block_scalars = true;
    // In folded text, a changed word would change all following lines of a diff.
    options.folded_wrap_chars = usize::MAX;
    serde_saphyr::to_string_with_options(document, options).expect("a JSON value is a YAML value")
}

/// Appends lines, indented except for the first.
fn push_lines(lines: &str, indent: usize, text: &mut String) {
    for (position, line) in lines.split_inclusive('\n').enumerate() {
        // serde-saphyr indents empty lines of literal blocks; blanks that matter are in quotes.
        if position > 0 && line.bytes().all(|byte| matches!(byte, b' ' | b'\n')) {
            text.push('\n');
            continue;
        }
        if position > 0 {
            push_blanks(indent, text);
        }
        text.push_str(line);
    }
}

fn push_blanks(count: usize, text: &mut String) {
    text.extend(std::iter::repeat_n(' ', count));
}

/// Returns whether a literal block can represent the text safely.
fn is_block_safe(text: &str) -> bool {
    let content = text.strip_suffix('\n').unwrap_or(text);
    !content.starts_with(char::is_whitespace)
        && content.split('\n').all(|line| !line.ends_with([' ', '\t']))
        && !content.ends_with('\n')
}
