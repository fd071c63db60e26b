//! Flattened fields.
//!
//! A struct contributes its properties and required names, an enum also its `oneOf`; nothing in an `Option` is required. A map or any value makes
//! the parent preserve unknown fields, because a schema cannot have both properties and a map.

use std::collections::BTreeSet;

use serde_json::{Map, Value, json};

use super::builder::Builder;
use super::merge::Overlay;
use super::node::{Keywords, Node, PRESERVE, VALIDATIONS, describe, preserves, type_of};
use crate::api::{Field, Type};

/// An object under construction.
#[derive(Debug, Default)]
pub(super) struct ObjectParts {
    properties: Map<String, Value>,
    pub(super) required: BTreeSet<String>,
    /// Constraints that flattened fields add to the object.
    flattened: Node,
    broken: bool,
}

impl ObjectParts {
    /// Adds a property. Returns `false` if the name is taken.
    pub(super) fn insert(&mut self, name: &str, schema: Value) -> bool {
        let new = !self.properties.contains_key(name);
        if new {
            self.properties.insert(name.to_owned(), schema);
        }
        new
    }

    /// Adds the rules of a flattened field. The last field comes first, as in controller-gen.
    fn add_rules(&mut self, keywords: &mut Keywords) {
        if let Some(Value::Array(mut rules)) = keywords.remove(VALIDATIONS) {
            rules.append(&mut self.flattened.late_rules);
            self.flattened.late_rules = rules;
        }
    }

    /// Returns the object.
    pub(super) fn into_node(self, own_rules: Vec<Value>) -> Node {
        let mut node = self.flattened;
        node.set("type", "object");
        if !self.properties.is_empty() {
            node.set("properties", self.properties);
        }
        if !self.required.is_empty() {
            node.set("required", self.required.into_iter().collect::<Vec<_>>());
        }
        if !own_rules.is_empty() {
            super::rules::append(&mut node.keywords, own_rules);
        }
        node.broken = self.broken;
        node
    }
}

impl<'a> Builder<'a> {
    /// Merges a flattened field into its parent.
    pub(super) fn flatten(&mut self, parts: &mut ObjectParts, field: &'a Field<Type>) {
        let node = self.value(field, &[], "a flattened field");
        if node.broken {
            parts.broken = true;
            return;
        }
        for (mark, is_set) in [
            ("default", field.default.is_some()),
            ("immutable", field.immutable),
        ] {
            if is_set {
                let message = format!("`{mark}` requires a property, but this field is flattened");
                let help = format!("move `{mark}` to the fields of its type");
                self.problem(Some(mark), message, Some(help));
            }
        }
        let optional = node.optional;
        let mut keywords = node.keywords;
        if type_of(&keywords) == "object" && !keywords.contains_key("additionalProperties") {
            self.flatten_object(parts, keywords, optional);
        } else if has_arbitrary_keys(&keywords) {
            parts.flattened.set(PRESERVE, true);
            parts.add_rules(&mut keywords);
        } else {
            let message = format!(
                "`flatten` requires an object or a map, but this field is {}",
                describe(&keywords)
            );
            let help = "remove `#[serde(flatten)]`".to_owned();
            self.problem(None, message, Some(help));
        }
    }

    fn flatten_object(&mut self, parts: &mut ObjectParts, mut keywords: Keywords, optional: bool) {
        if let Some(Value::Object(properties)) = keywords.remove("properties") {
            for (name, schema) in properties {
                if !parts.insert(&name, schema) {
                    self.report_duplicate_name(&name);
                }
            }
        }
        if let Some(Value::Array(names)) = keywords.remove("required")
            && !optional
        {
            let names = names.iter().filter_map(Value::as_str).map(str::to_owned);
            parts.required.extend(names);
        }
        for keyword in [
            "type",
            "description",
            "title",
            "example",
            "externalDocs",
            "default",
            "nullable",
        ] {
            keywords.remove(keyword);
        }
        if optional && let Some(Value::Array(one_of)) = keywords.get_mut("oneOf") {
            one_of.push(json!({ "not": { "anyOf": one_of.clone() } }));
        }
        parts.add_rules(&mut keywords);
        let mut overlay = Overlay::default();
        for (keyword, value) in keywords {
            overlay.put(&mut parts.flattened, &keyword, value);
        }
        overlay.finish(&mut parts.flattened);
    }
}

/// Returns whether a schema is a map or any value, whose keys are unknown.
fn has_arbitrary_keys(keywords: &Keywords) -> bool {
    keywords.contains_key("additionalProperties")
        || (type_of(keywords).is_empty() && preserves(keywords))
}
