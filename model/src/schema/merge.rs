//! What a mark says over what the type says, by the rules of controller-gen.
//!
//! A keyword that the type has not said is written. One that it has said with another value holds, too: both go into
//! an `allOf`, the type's first. A natural keyword is replaced, and so are those that cannot stand in an `allOf`.

use serde_json::Value;

use super::node::{Keywords, LIST_MAP_KEYS, LIST_TYPE, MAP_TYPE, Node};

/// Keywords of which the outer one wins.
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
/// Keywords that are written once if both say the same.
const COLLAPSING: [&str; 4] = ["format", "maxProperties", "minProperties", "pattern"];

/// The marks of one layer over a schema.
#[derive(Debug, Default)]
pub(super) struct Overlay {
    inner: Keywords,
    outer: Keywords,
}

impl Overlay {
    /// Writes a keyword over a schema.
    pub(super) fn put(&mut self, node: &mut Node, keyword: &str, value: impl Into<Value>) {
        let value = value.into();
        let is_natural = node.natural.names.contains(&keyword);
        node.natural.names.retain(|name| *name != keyword);
        match node.keywords.get(keyword) {
            Some(there) if !is_natural && !REPLACED.contains(&keyword) => {
                if there == &value && (value.is_boolean() || COLLAPSING.contains(&keyword)) {
                    return;
                }
                let there = node.keywords.remove(keyword).unwrap_or_default();
                self.inner.insert(keyword.to_owned(), there);
                self.outer.insert(keyword.to_owned(), value);
            }
            _ => node.set(keyword, value),
        }
    }

    /// Writes a bound and whether the bound itself is outside.
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
            if let Some(there) = node.keywords.remove(flag) {
                self.inner.insert(flag.to_owned(), there);
            }
            if is_exclusive {
                self.outer.insert(flag.to_owned(), true.into());
            }
        } else if is_exclusive {
            node.set(flag, true);
        }
    }

    /// Writes what both said.
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
