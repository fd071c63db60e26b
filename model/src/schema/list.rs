//! Checks list types against the API server's rules.

use serde_json::Value;

use super::builder::Builder;
use super::node::{
    Keywords, LIST_MAP_KEYS, LIST_TYPE, MAP_TYPE, Node, describe, flag, text, type_of,
};
use super::subject::Subject;
use crate::api::Marks;

impl Builder<'_> {
    /// Checks the list type set by marks.
    pub(super) fn lists(&mut self, node: &Node, marks: &Marks, subject: &Subject) {
        let (list_type, keys) = (marks.list_type, &marks.list_map_keys);
        if list_type.is_none() && keys.is_empty() {
            return;
        }
        let Some(items) = node.keywords.get("items").and_then(Value::as_object) else {
            return;
        };
        let mark = if keys.is_empty() {
            "list_type"
        } else {
            "list_map_key"
        };
        let refusal = match text(&node.keywords, LIST_TYPE) {
            said @ ("set" | "atomic") if !keys.is_empty() => Some((
                format!("needs `list_type = \"map\"`, and it is \"{said}\""),
                "remove `list_type`, or the key",
            )),
            "map" if keys.is_empty() => Some((
                "needs a `list_map_key` where it is \"map\"".to_owned(),
                "name the field of an element that tells it from the others",
            )),
            "map" => map_refusal(items, &node.keywords),
            "set" if flag(items, "nullable") => Some((
                "is \"set\", whose elements cannot be null".to_owned(),
                "remove the `Option` around the element",
            )),
            "set" if !is_set_element(items) => Some((
                format!(
                    "is \"set\", whose elements are compared as a whole, and an element is {}",
                    describe(items)
                ),
                "use `list_map_key`, or make the type of the element atomic: `#[kb(struct_type = \"atomic\")]`",
            )),
            _ => None,
        };
        if let Some((refusal, help)) = refusal {
            let message = format!("{} on {} {refusal}", subject.label(mark), subject.what);
            self.problem(Some(subject.mark(mark)), message, Some(help.to_owned()));
        }
    }
}

/// Returns why a list cannot be merged by its keys.
fn map_refusal(items: &Keywords, list: &Keywords) -> Option<(String, &'static str)> {
    if type_of(items) != "object" {
        let message = format!(
            "needs elements that are objects, and an element is {}",
            describe(items)
        );
        return Some((message, "use `list_type = \"set\"` or \"atomic\""));
    }
    if flag(items, "nullable") {
        let message = "needs elements that cannot be null".to_owned();
        return Some((message, "remove the `Option` around the element"));
    }
    let keys: Vec<&str> = list
        .get(LIST_MAP_KEYS)
        .and_then(Value::as_array)
        .map(|keys| keys.iter().filter_map(Value::as_str).collect())
        .unwrap_or_default();
    keys.iter().enumerate().find_map(|(index, key)| {
        if keys[..index].contains(key) {
            return Some((format!("names `{key}` twice"), "remove one of them"));
        }
        key_refusal(items, key)
    })
}

fn key_refusal(items: &Keywords, key: &str) -> Option<(String, &'static str)> {
    let property = items.get("properties").and_then(|all| all.get(key));
    let Some(Value::Object(property)) = property else {
        let message = format!("names `{key}`, which is no field of an element");
        return Some((
            message,
            "name fields of the element as they are on the wire",
        ));
    };
    if matches!(type_of(property), "array" | "object") {
        let message = format!("names `{key}`, which is {} and no key", describe(property));
        return Some((
            message,
            "name a field that is a string, a number or a boolean",
        ));
    }
    if flag(property, "nullable") {
        let message = format!("names `{key}`, which may be null");
        return Some((message, "a key needs a value: remove `nullable`"));
    }
    let required = items.get("required").and_then(Value::as_array);
    let is_required = required.is_some_and(|names| names.iter().any(|name| name == key));
    if is_required || property.contains_key("default") {
        return None;
    }
    let message = format!("names `{key}`, which may be absent");
    Some((message, "make the field required, or give it a default"))
}

/// Returns whether a value is an atomic, required key.
pub(super) fn is_set_element(items: &Keywords) -> bool {
    if flag(items, "nullable") {
        return false;
    }
    match type_of(items) {
        "array" => matches!(text(items, LIST_TYPE), "" | "atomic"),
        "object" => text(items, MAP_TYPE) == "atomic",
        "" => super::node::is_int_or_string(items),
        _ => true,
    }
}
