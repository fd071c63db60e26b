//! Lists: one element, or as many as are needed, which differ where they have to.

use serde_json::Value;

use super::{layers::Layers, object::object, value::value};
use crate::schema::{LIST_MAP_KEYS, LIST_TYPE};

/// No sample shows more, whatever is asked for: lists may be in lists.
pub(super) const MANY: usize = 64;
/// How many values in a row may be known already.
const TRIES: usize = 64;

/// The elements of the list `name`.
pub(super) fn list(layers: &Layers<'_>, name: &str) -> Vec<Value> {
    let Some(items) = layers.inner("items") else {
        return Vec::new();
    };
    let (least, most) = layers.counts(["minItems", "maxItems"]);
    let count = least.max(1).min(most).min(MANY);
    let list_type = layers.first(LIST_TYPE).and_then(Value::as_str);
    let keys: Vec<&str> = layers.texts(LIST_MAP_KEYS).collect();
    let distinct = matches!(list_type, Some("set" | "map")) || layers.flag("uniqueItems");

    let mut elements: Vec<Value> = Vec::new();
    for number in 0..count + TRIES {
        if elements.len() == count {
            break;
        }
        let variant = if distinct { number } else { 0 };
        let element = element(&items, name, variant, &keys);
        let is_known = |other: &Value| is_same(other, &element, &keys);
        if !(distinct && elements.iter().any(is_known)) {
            elements.push(element);
        }
    }
    elements
}

/// An element. Of those that are told apart by keys, nothing else differs.
fn element(items: &Layers<'_>, name: &str, variant: usize, keys: &[&str]) -> Value {
    if keys.is_empty() || (variant == 0 && items.said().is_some()) {
        value(items, name, variant)
    } else {
        object(items, variant, keys).into()
    }
}

fn is_same(one: &Value, other: &Value, keys: &[&str]) -> bool {
    if keys.is_empty() {
        return one == other;
    }
    keys.iter().all(|key| one.get(key) == other.get(key))
}
