//! Checks that every schema has a type, unless it allows any value.

use std::fmt;

use serde_json::Value;

use super::builder::Builder;
use super::node::{
    EMBEDDED, INT_OR_STRING, Keywords, Node, flag, is_int_or_string, preserves, type_of,
};

impl Builder<'_> {
    /// Checks a value after all marks were applied, and its content if it has no fields.
    pub(super) fn check_complete(&mut self, node: &Node, name: &str) {
        if !node.broken {
            self.complete(&node.keywords, &ValueName::Named(name));
        }
    }

    fn complete(&mut self, keywords: &Keywords, what: &ValueName<'_>) {
        let name = type_of(keywords);
        if name.is_empty() && !is_int_or_string(keywords) && !preserves(keywords) {
            let message = format!("{what} has no type, which the API server requires");
            let help = "add `preserve_unknown_fields` to accept any value, or set a type: `schema_type = \"string\"`";
            self.problem(None, message, Some(help.to_owned()));
        }
        if name == "array" && !keywords.contains_key("items") {
            let message = format!("{what} is a list with an unknown element type");
            let help = "set the element type: `items(schema_type = \"string\")`".to_owned();
            self.problem(None, message, Some(help));
        }
        if flag(keywords, INT_OR_STRING) && preserves(keywords) {
            let message =
                format!("`int_or_string` on {what} conflicts with `preserve_unknown_fields`");
            let help = "remove `preserve_unknown_fields`".to_owned();
            self.problem(Some("preserve_unknown_fields"), message, Some(help));
        }
        if flag(keywords, EMBEDDED) {
            self.embedded(keywords, what);
        }
        for (inner, part) in [("items", "an element"), ("additionalProperties", "a value")] {
            if let Some(Value::Object(keywords)) = keywords.get(inner) {
                self.complete(keywords, &ValueName::Part(part, what));
            }
        }
    }

    fn embedded(&mut self, keywords: &Keywords, what: &ValueName<'_>) {
        let requirement = if type_of(keywords) != "object" {
            "an object, but its type is unknown"
        } else if !preserves(keywords) && !keywords.contains_key("properties") {
            "properties, but it has none"
        } else {
            return;
        };
        let message = format!("`embedded_resource` on {what} requires {requirement}");
        let help =
            "use `#[kb(embedded_resource, preserve_unknown_fields, schema_type = \"object\")]`";
        self.problem(Some("embedded_resource"), message, Some(help.to_owned()));
    }
}

/// Checked value, formatted only for messages.
enum ValueName<'w> {
    Named(&'w str),
    Part(&'static str, &'w Self),
}

impl fmt::Display for ValueName<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Named(name) => write!(f, "`{name}`"),
            Self::Part(part, whole) => write!(f, "{part} of {whole}"),
        }
    }
}
