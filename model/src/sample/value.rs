//! A value: the user's, otherwise one that fits the type.

use serde_json::Value;

use super::{
    layers::Layers,
    list::list,
    number::{integer, number},
    object::object,
    text::text,
};
use crate::schema::INT_OR_STRING;

/// Returns a value for the field `name`. Variants differ as far as possible.
pub(super) fn value(layers: &Layers<'_>, name: &str, variant: usize) -> Value {
    if variant == 0
        && let Some(user_value) = layers.user_value()
    {
        return user_value.clone();
    }
    if let Some(choices) = layers.choices().filter(|choices| !choices.is_empty()) {
        return choices[variant % choices.len()].clone();
    }
    match layers.json_type() {
        "array" => list(layers, name).into(),
        "boolean" => (variant % 2 == 1).into(),
        "integer" => integer(layers, variant).into(),
        "number" => number(layers, variant).into(),
        "string" => text(layers, name, variant).into(),
        "" if layers.flag(INT_OR_STRING) => integer(layers, variant).into(),
        _ => object(layers, variant, &[]).into(),
    }
}
