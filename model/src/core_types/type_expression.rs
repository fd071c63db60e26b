//! Notation of types in the table.
//!
//! `string`, `bool`, `int`, `int32`, `int64`, `number`, `bytes`, `object`, and `any` for no type; `[T]` is a list and `{T}` a map with string keys.
//! Anything else is a component: its full name, a short name with `meta.` for Kubernetes' meta types, or without prefix for the same package.

use serde_json::{Map, Value, json};

/// Parsed type expression.
#[derive(Debug, PartialEq)]
pub(super) enum TypeExpression<'a> {
    /// A schema without references.
    Plain(Map<String, Value>),
    /// `[T]`
    List(&'a str),
    /// `{T}`
    Map(&'a str),
    /// Full name of another component.
    Component(String),
}

/// Package of `ObjectMeta`, `Time` etc.
const META: &str = "io.k8s.apimachinery.pkg.apis.meta.v1";

impl<'a> TypeExpression<'a> {
    /// Parses a type expression of the component `within`.
    pub(super) fn parse(text: &'a str, within: &str) -> Self {
        let inner = |open, close| text.strip_prefix(open)?.strip_suffix(close);
        if let Some(item) = inner('[', ']') {
            Self::List(item)
        } else if let Some(value) = inner('{', '}') {
            Self::Map(value)
        } else if let Some(schema) = plain(text) {
            Self::Plain(schema)
        } else if let Some(name) = text.strip_prefix("meta.") {
            Self::Component(format!("{META}.{name}"))
        } else if text.contains('.') {
            Self::Component(text.to_owned())
        } else {
            let package = within.rsplit_once('.').map_or("", |(package, _)| package);
            Self::Component(format!("{package}.{text}"))
        }
    }
}

fn plain(text: &str) -> Option<Map<String, Value>> {
    let schema = match text {
        "any" => json!({}),
        "bool" => json!({"type": "boolean"}),
        "bytes" => json!({"type": "string", "format": "byte"}),
        "int" => json!({"type": "integer"}),
        "int32" | "int64" => json!({"type": "integer", "format": text}),
        // A component without type is a struct.
        "" | "object" => json!({"type": "object"}),
        "number" | "string" => json!({"type": text}),
        _ => return None,
    };
    match schema {
        Value::Object(schema) => Some(schema),
        _ => None,
    }
}
