//! Lists: one element, or the required number of distinct elements.

use serde_json::Value;

use super::{layers::Layers, object::object, value::value};
use crate::schema::{LIST_MAP_KEYS, LIST_TYPE};

/// Maximum length of a list: lists may be nested.
pub(super) const MAX_ELEMENTS: usize = 64;
/// Maximum number of consecutive duplicates.
const TRIES: usize = 64;

/// Returns the elements of the list `name`.
pub(super) fn list(layers: &Layers<'_>, name: &str) -> Vec<Value> {
    let Some(items) = layers.inner("items") else {
        return Vec::new();
    };
    let (least, most) = layers.size_range(["minItems", "maxItems"]);
    let count = least.max(1).min(most).min(MAX_ELEMENTS);
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

/// Returns an element. In a map list only the keys differ.
fn element(items: &Layers<'_>, name: &str, variant: usize, keys: &[&str]) -> Value {
    if keys.is_empty() || (variant == 0 && items.user_value().is_some()) {
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
