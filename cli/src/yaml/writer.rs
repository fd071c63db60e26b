//! The lines of a document: keys sorted, strings of several lines as literal blocks where that is safe.
//!
//! serde-saphyr decides how a string is written, alone. Here is where it stands. A project of many kinds has few different keys
//! and values, and to ask for each of them once is several times faster than to let serde-saphyr write the whole document.
//!
//! A literal block keeps what stands at the end of its lines only as long as no editor strips it, needs a number where the first line
//! is indented, and is refused by kubectl where that line begins with a tab. Such strings are written in double quotes.

use std::{
    collections::{BTreeMap, HashMap},
    fmt::Write,
};

use serde::Serialize;
use serde_json::{Map, Value};
use serde_saphyr::{DoubleQuoted, SerializerOptions};

/// Writes documents. What it was asked to write once, it knows.
#[derive(Default)]
pub(crate) struct Writer<'v> {
    /// Keys with their colons.
    keys: HashMap<&'v str, String>,
    /// Values with their newlines, as they stand behind a key that is not indented.
    values: HashMap<&'v str, String>,
}

impl<'v> Writer<'v> {
    /// A manifest's text. `comments` are lines that begin with `#`, each with its newline.
    pub(crate) fn document(&mut self, comments: &str, value: &'v Value) -> String {
        let mut text = format!("{comments}---\n");
        match value {
            Value::Object(fields) if !fields.is_empty() => self.fields(fields, 0, &mut text),
            Value::Array(items) if !items.is_empty() => self.items(items, 0, &mut text),
            scalar => self.scalar(scalar, 0, &mut text),
        }
        text
    }

    /// The fields of an object. The first one stands where the text ends.
    pub(super) fn fields(
        &mut self,
        fields: &'v Map<String, Value>,
        indent: usize,
        text: &mut String,
    ) {
        // serde_json's own order depends on a feature that any crate in the build may switch on.
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

    /// The items of a list. The first one stands where the text ends.
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

    /// What has no parts, and its newline. Further lines of it are deeper than `indent`.
    fn scalar(&mut self, value: &'v Value, indent: usize, text: &mut String) {
        match value {
            Value::String(string) => push_lines(self.value(string), indent, text),
            Value::Bool(flag) => text.push_str(if *flag { "true\n" } else { "false\n" }),
            Value::Number(number) if !number.is_f64() => {
                let _ = writeln!(text, "{number}");
            }
            other => text.push_str(&alone(other)),
        }
    }

    fn key(&mut self, key: &'v str) -> &str {
        self.keys.entry(key).or_insert_with(|| {
            let line = written(&BTreeMap::from([(key, 0)]));
            line.strip_suffix(" 0\n").unwrap_or(&line).to_owned()
        })
    }

    fn value(&mut self, string: &'v str) -> &str {
        self.values.entry(string).or_insert_with(|| {
            if string.contains('\n') && !reads_as_block(string) {
                alone(&DoubleQuoted(string))
            } else {
                alone(string)
            }
        })
    }
}

/// A value as it stands behind a key.
fn alone<T: Serialize + ?Sized>(value: &T) -> String {
    let line = written(&BTreeMap::from([("a", value)]));
    line.strip_prefix("a: ").unwrap_or(&line).to_owned()
}

fn written(document: &impl Serialize) -> String {
    let mut options = SerializerOptions::default();
    // These are the defaults, and what the safety of the text rests on.
    options.yaml_12 = false;
    options.prefer_block_scalars = true;
    // Folded text reads well and is hard to compare: a changed word would move every line behind it.
    options.folded_wrap_chars = usize::MAX;
    serde_saphyr::to_string_with_options(document, options).expect("a JSON value is a YAML value")
}

/// Adds lines, all but the first of them indented.
fn push_lines(lines: &str, indent: usize, text: &mut String) {
    for (position, line) in lines.split_inclusive('\n').enumerate() {
        // An empty line of a literal block is written with its indentation. Lines of blanks that matter are in quotes.
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

/// Whether a literal block holds the text safely, and without blanks at the end of a line.
fn reads_as_block(text: &str) -> bool {
    let content = text.strip_suffix('\n').unwrap_or(text);
    !content.starts_with(char::is_whitespace)
        && content.split('\n').all(|line| !line.ends_with([' ', '\t']))
        && !content.ends_with('\n')
}
