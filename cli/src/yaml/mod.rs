//! JSON documents as YAML text that every reader takes for the same document.
//!
//! kubectl reads YAML 1.1, most other tools 1.2: text is quoted wherever one of them would take it for something else, which
//! serde-saphyr knows. What is decided here is the order of keys, the lines, and the style of strings of several lines.

mod document;
mod writer;

pub(crate) use document::{document, fields, is_comment_text, read};
pub(crate) use writer::Writer;

#[cfg(test)]
mod kubectl;
#[cfg(test)]
mod tests;
