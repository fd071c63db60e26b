//! CEL visibility: escaped property names, and values with a type.

use serde_json::Value;

use super::node::{Keywords, is_int_or_string, type_of};

/// Reserved words of CEL.
const RESERVED: [&str; 21] = [
    "true",
    "false",
    "null",
    "in",
    "as",
    "break",
    "const",
    "continue",
    "else",
    "for",
    "function",
    "if",
    "import",
    "let",
    "loop",
    "package",
    "namespace",
    "return",
    "var",
    "void",
    "while",
];

/// Returns the name of a property in CEL, escaped by Kubernetes' rules: `my-name` becomes `my__dash__name`, `namespace` becomes
/// `__namespace__`. `None` if the name is not accessible in rules.
pub fn cel_name(name: &str) -> Option<String> {
    if name.is_empty() || name.starts_with(|c: char| c.is_ascii_digit()) {
        return None;
    }
    if RESERVED.contains(&name) {
        return Some(format!("__{name}__"));
    }
    let mut escaped = String::with_capacity(name.len());
    let mut rest = name;
    while let Some(c) = rest.chars().next() {
        let (piece, length) = match c {
            '_' if rest.starts_with("__") => ("__underscores__", 2),
            '.' => ("__dot__", 1),
            '-' => ("__dash__", 1),
            '/' => ("__slash__", 1),
            'a'..='z' | 'A'..='Z' | '0'..='9' | '_' => (&rest[..1], 1),
            _ => return None,
        };
        escaped.push_str(piece);
        rest = &rest[length..];
    }
    Some(escaped)
}

/// Returns whether rules can access a value: it needs a type at every level.
pub(super) fn is_visible(keywords: &Keywords) -> bool {
    if is_int_or_string(keywords) {
        return true;
    }
    match type_of(keywords) {
        "" => false,
        "array" => matches!(keywords.get("items"), Some(Value::Object(items)) if is_visible(items)),
        "object" => match keywords.get("additionalProperties") {
            Some(Value::Object(values)) => is_visible(values),
            _ => true,
        },
        _ => true,
    }
}
