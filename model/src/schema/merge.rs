//! Merges marks into the schema of a type, by the rules of controller-gen.
//!
//! A keyword that the type does not have is set. If the type has another value, both apply: they go into an `allOf`, the type's first. Natural
//! keywords are replaced, and so are those not allowed in an `allOf`.

use serde_json::Value;

use super::node::{Keywords, LIST_MAP_KEYS, LIST_TYPE, MAP_TYPE, Node};

/// Keywords where the outer value wins.
const REPLACED: [&str; 10] = [
    "default",
    "description",
    "example",
    "externalDocs",
    "title",
    "type",
    LIST_MAP_KEYS,
    LIST_TYPE,
    MAP_TYPE,
    "nullable",
];
/// Keywords that are written once if both are equal.
const COLLAPSING: [&str; 4] = ["format", "maxProperties", "minProperties", "pattern"];

/// Marks applied to a schema.
#[derive(Debug, Default)]
pub(super) struct Overlay {
    inner: Keywords,
    outer: Keywords,
}

impl Overlay {
    /// Applies a keyword.
    pub(super) fn put(&mut self, node: &mut Node, keyword: &str, value: impl Into<Value>) {
        let value = value.into();
        let is_natural = node.natural.names.contains(&keyword);
        node.natural.names.retain(|name| *name != keyword);
        match node.keywords.get(keyword) {
            Some(existing) if !is_natural && !REPLACED.contains(&keyword) => {
                if existing == &value && (value.is_boolean() || COLLAPSING.contains(&keyword)) {
                    return;
                }
                let existing = node.keywords.remove(keyword).unwrap_or_default();
                self.inner.insert(keyword.to_owned(), existing);
                self.outer.insert(keyword.to_owned(), value);
            }
            _ => node.set(keyword, value),
        }
    }

    /// Applies a bound and its exclusiveness.
    pub(super) fn put_bound(
        &mut self,
        node: &mut Node,
        keyword: &str,
        value: Value,
        exclusive: (&str, bool),
    ) {
        let (flag, is_exclusive) = exclusive;
        self.put(node, keyword, value);
        if self.outer.contains_key(keyword) {
            if let Some(existing) = node.keywords.remove(flag) {
                self.inner.insert(flag.to_owned(), existing);
            }
            if is_exclusive {
                self.outer.insert(flag.to_owned(), true.into());
            }
        } else if is_exclusive {
            node.set(flag, true);
        }
    }

    /// Combines both values.
    pub(super) fn finish(self, node: &mut Node) {
        if self.inner.is_empty() {
            return;
        }
        let both = [Value::Object(self.inner), Value::Object(self.outer)];
        match node.keywords.get_mut("allOf") {
            Some(Value::Array(all)) => all.extend(both),
            _ => node.set("allOf", both.to_vec()),
        }
    }
}
