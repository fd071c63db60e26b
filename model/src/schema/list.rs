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
    pub(super) fn check_list_type(&mut self, node: &Node, marks: &Marks, subject: &Subject) {
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
        let rejection = match text(&node.keywords, LIST_TYPE) {
            found @ ("set" | "atomic") if !keys.is_empty() => Some((
                format!("requires `list_type = \"map\"`, found \"{found}\""),
                "remove `list_type`, or the key",
            )),
            "map" if keys.is_empty() => Some((
                "requires `list_map_key` if it is \"map\"".to_owned(),
                "set it to the field that identifies an element",
            )),
            "map" => map_rejection(items, &node.keywords),
            "set" if flag(items, "nullable") => Some((
                "is \"set\", but the elements are nullable".to_owned(),
                "remove the `Option` around the element",
            )),
            "set" if !is_set_element(items) => Some((
                format!(
                    "is \"set\", which requires scalar or atomic elements, but an element is {}",
                    describe(items)
                ),
                "use `list_map_key`, or make the element type atomic: `#[kb(struct_type = \"atomic\")]`",
            )),
            _ => None,
        };
        if let Some((rejection, help)) = rejection {
            let message = format!("{} on {} {rejection}", subject.label(mark), subject.what);
            self.problem(Some(subject.mark(mark)), message, Some(help.to_owned()));
        }
    }
}

/// Returns why a list cannot be merged by its keys.
fn map_rejection(items: &Keywords, list: &Keywords) -> Option<(String, &'static str)> {
    if type_of(items) != "object" {
        let message = format!(
            "requires a list of objects, but an element is {}",
            describe(items)
        );
        return Some((message, "use `list_type = \"set\"` or \"atomic\""));
    }
    if flag(items, "nullable") {
        let message = "requires elements that are not nullable".to_owned();
        return Some((message, "remove the `Option` around the element"));
    }
    let keys: Vec<&str> = list
        .get(LIST_MAP_KEYS)
        .and_then(Value::as_array)
        .map(|keys| keys.iter().filter_map(Value::as_str).collect())
        .unwrap_or_default();
    keys.iter().enumerate().find_map(|(index, key)| {
        if keys[..index].contains(key) {
            return Some((format!("lists `{key}` twice"), "remove one of them"));
        }
        key_rejection(items, key)
    })
}

fn key_rejection(items: &Keywords, key: &str) -> Option<(String, &'static str)> {
    let property = items.get("properties").and_then(|all| all.get(key));
    let Some(Value::Object(property)) = property else {
        let message = format!("refers to `{key}`, which is not a field of the element");
        return Some((message, "use the JSON names of the element's fields"));
    };
    if matches!(type_of(property), "array" | "object") {
        let message = format!(
            "refers to `{key}`, which is {} and not a scalar",
            describe(property)
        );
        return Some((
            message,
            "use a field that is a string, a number or a boolean",
        ));
    }
    if flag(property, "nullable") {
        let message = format!("refers to `{key}`, which is nullable");
        return Some((message, "remove `nullable`"));
    }
    let required = items.get("required").and_then(Value::as_array);
    let is_required = required.is_some_and(|names| names.iter().any(|name| name == key));
    if is_required || property.contains_key("default") {
        return None;
    }
    let message = format!("refers to `{key}`, which is optional");
    Some((message, "make the field required, or add a default"))
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
