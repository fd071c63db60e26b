//! Renders JSON values as YAML that all parsers read alike.
//!
//! kubectl reads YAML 1.1, most other tools 1.2. serde-saphyr quotes every string that one of them would misread; this
//! module decides on the order of keys, the indentation and the style of multi-line strings.

mod document;
mod writer;

pub(crate) use document::{document, fields, is_comment_text, read};
pub(crate) use writer::Writer;

#[cfg(test)]
mod kubectl;
#[cfg(test)]
mod tests;
