//! A schema under construction.
//!
//! Some keywords follow from the Rust type (`u16` has a minimum and a maximum). They are natural: a mark replaces them, whereas two marks on the
//! same value are combined.

use serde_json::{Map, Value};

use crate::fit::Form;

/// Keywords of a schema.
pub(super) type Keywords = Map<String, Value>;

/// A schema, and which of its keywords are natural.
#[derive(Debug, Default)]
pub(super) struct Node {
    pub(super) keywords: Keywords,
    pub(super) natural: Natural,
    /// Whether the type was an `Option`.
    pub(super) optional: bool,
    /// Rules of flattened fields, added after those of the type.
    pub(super) late_rules: Vec<Value>,
    /// Whether a problem was reported: skips further checks.
    pub(super) broken: bool,
}

/// Natural keywords of a schema, and of its elements or map values.
#[derive(Debug, Default)]
pub(super) struct Natural {
    pub(super) names: Vec<&'static str>,
    pub(super) inner: Option<Box<Natural>>,
}

impl Node {
    /// Creates a schema with a JSON type.
    pub(super) fn of_type(name: &str) -> Self {
        let mut node = Self::default();
        node.set("type", name);
        node
    }

    /// Creates a placeholder for an invalid schema.
    pub(super) fn broken() -> Self {
        let mut node = Self::default();
        node.set(PRESERVE, true);
        node.broken = true;
        node
    }

    /// Sets a keyword.
    pub(super) fn set(&mut self, keyword: &str, value: impl Into<Value>) {
        self.keywords.insert(keyword.to_owned(), value.into());
    }

    /// Sets a natural keyword.
    pub(super) fn set_natural(&mut self, keyword: &'static str, value: impl Into<Value>) {
        self.set(keyword, value);
        self.natural.names.push(keyword);
    }

    /// Wraps it in a list or map.
    pub(super) fn container(type_name: &str, keyword: &str, inner: Self) -> Self {
        let mut node = Self::of_type(type_name);
        let mut inner_keywords = inner.keywords;
        if inner.optional {
            inner_keywords.insert("nullable".to_owned(), true.into());
        }
        node.set(keyword, inner_keywords);
        node.natural.inner = Some(Box::new(inner.natural));
        node.broken = inner.broken;
        node
    }

    /// Adds the rules of flattened fields.
    pub(super) fn append_late_rules(&mut self) {
        let late = std::mem::take(&mut self.late_rules);
        super::rules::append(&mut self.keywords, late);
    }

    /// Applies an `Option` where nothing can be absent.
    pub(super) fn nullable_if_optional(mut self) -> Self {
        if std::mem::take(&mut self.optional) {
            self.set("nullable", true);
        }
        self
    }
}

/// Returns the JSON type of a schema, or an empty string.
pub(super) fn type_of(keywords: &Keywords) -> &str {
    text(keywords, "type")
}

/// Returns a string keyword, or an empty string.
pub(super) fn text<'a>(keywords: &'a Keywords, keyword: &str) -> &'a str {
    keywords
        .get(keyword)
        .and_then(Value::as_str)
        .unwrap_or_default()
}

/// Returns a boolean keyword.
pub(super) fn flag(keywords: &Keywords, keyword: &str) -> bool {
    keywords.get(keyword) == Some(&Value::Bool(true))
}

/// Returns whether a schema is an int-or-string.
pub(super) fn is_int_or_string(keywords: &Keywords) -> bool {
    flag(keywords, INT_OR_STRING)
}

/// Returns whether unknown fields are preserved.
pub(super) fn preserves(keywords: &Keywords) -> bool {
    flag(keywords, PRESERVE)
}

pub(crate) const EMBEDDED: &str = "x-kubernetes-embedded-resource";
pub(crate) const INT_OR_STRING: &str = "x-kubernetes-int-or-string";
pub(crate) const LIST_MAP_KEYS: &str = "x-kubernetes-list-map-keys";
pub(crate) const LIST_TYPE: &str = "x-kubernetes-list-type";
pub(super) const MAP_TYPE: &str = "x-kubernetes-map-type";
pub(super) const PRESERVE: &str = "x-kubernetes-preserve-unknown-fields";
pub(crate) const VALIDATIONS: &str = "x-kubernetes-validations";

/// Returns the form of the values that a schema describes.
pub(super) fn form_of(keywords: &Keywords) -> Form {
    if is_int_or_string(keywords) {
        return Form::IntOrString;
    }
    match type_of(keywords) {
        "array" => Form::List,
        "boolean" => Form::Boolean,
        "integer" => Form::Integer,
        "number" => Form::Number,
        "object" if keywords.contains_key("additionalProperties") => Form::Map,
        "object" if keywords.contains_key("properties") => Form::Object,
        "object" => Form::OpenObject,
        "string" => Form::String,
        _ => Form::Any,
    }
}

/// Returns the noun phrase of a schema for messages: "a string".
pub(super) fn describe(keywords: &Keywords) -> &'static str {
    form_of(keywords).phrase()
}
