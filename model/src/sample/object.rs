//! Samples of objects and maps.

use std::collections::BTreeSet;

use serde_json::{Map, Value, json};

use super::{layers::Layers, list::MAX_ELEMENTS, one_of, value::value};
use crate::{
    api::OneOfKind,
    schema::{EMBEDDED, VALIDATIONS},
};

const SIZE_KEYWORDS: [&str; 2] = ["minProperties", "maxProperties"];

/// Returns an object. With `keys`, only these differ between variants.
pub(super) fn object(layers: &Layers<'_>, variant: usize, keys: &[&str]) -> Map<String, Value> {
    if let Some(values) = layers.inner("additionalProperties") {
        return map(layers, &values);
    }
    let mut object = Map::new();
    for name in fields(layers) {
        let differs = keys.is_empty() || keys.contains(&name);
        let variant = if differs { variant } else { 0 };
        object.insert(
            name.to_owned(),
            value(&layers.property(name), name, variant),
        );
    }
    if layers.flag(EMBEDDED) {
        let manifest = [
            ("apiVersion", json!("v1")),
            ("kind", json!("ConfigMap")),
            ("metadata", json!({ "name": "sample" })),
        ];
        for (name, value) in manifest {
            object.insert(name.to_owned(), value);
        }
    }
    object
}

/// Returns a map with one entry, or the required number.
fn map(layers: &Layers<'_>, values: &Layers<'_>) -> Map<String, Value> {
    let (least, most) = layers.size_range(SIZE_KEYWORDS);
    let required = layers.required();
    let count = least.max(1).min(most).min(MAX_ELEMENTS);
    let more = count.saturating_sub(required.len());
    let key = |number| match number {
        0 => "key".to_owned(),
        _ => format!("key-{}", number + 1),
    };
    let required = required.into_iter().map(str::to_owned);
    required
        .chain((0..more).map(key))
        .map(|key| (key, value(values, "value", 0)))
        .collect()
}

/// Returns the fields of an object, sorted.
fn fields<'a>(layers: &Layers<'a>) -> BTreeSet<&'a str> {
    let properties = layers.properties();
    let mut fields = Fields {
        shown: layers.required(),
        needed: layers.required(),
        avoided: layers.avoided().clone(),
    };
    let has_user_value = |name: &&str| layers.property(name).user_value().is_some();
    for name in properties.iter().filter(|name| has_user_value(name)) {
        fields.show(name);
    }
    let rules = layers.all(VALIDATIONS).filter_map(Value::as_array);
    let rules = rules.flatten().filter_map(|entry| entry["rule"].as_str());
    let mut rules: Vec<_> = rules
        .filter_map(|rule| one_of::parse(rule, &properties))
        .collect();
    // Strictest first, so that the others know what remains.
    rules.sort_by_key(|(kind, _)| match kind {
        OneOfKind::ExactlyOne => 0,
        OneOfKind::AtMostOne => 1,
        OneOfKind::AtLeastOne => 2,
    });
    for (kind, names) in rules {
        fields.apply_rule(kind, &names);
    }
    let (least, most) = layers.size_range(SIZE_KEYWORDS);
    for name in &properties {
        if fields.shown.len() < least {
            fields.show(name);
        }
    }
    for name in properties.iter().rev() {
        if fields.shown.len() > most {
            fields.hide(name);
        }
    }
    fields.shown
}

/// State of choosing the fields of an object.
struct Fields<'a> {
    shown: BTreeSet<&'a str>,
    needed: BTreeSet<&'a str>,
    avoided: BTreeSet<&'a str>,
}

impl<'a> Fields<'a> {
    fn show(&mut self, name: &'a str) {
        if !self.avoided.contains(name) {
            self.shown.insert(name);
        }
    }

    fn hide(&mut self, name: &str) {
        if !self.needed.contains(name) {
            self.shown.remove(name);
        }
    }

    /// Applies a rule on how many of `names` are set.
    fn apply_rule(&mut self, kind: OneOfKind, names: &[&'a str]) {
        let find = |set: &BTreeSet<&'a str>| names.iter().copied().find(|name| set.contains(name));
        let there = find(&self.needed).or_else(|| find(&self.shown));
        let allowed = || {
            names
                .iter()
                .copied()
                .find(|name| !self.avoided.contains(name))
        };
        let kept = match kind {
            OneOfKind::AtMostOne => there,
            OneOfKind::ExactlyOne | OneOfKind::AtLeastOne => there.or_else(allowed),
        };
        let Some(kept) = kept else { return };
        self.shown.insert(kept);
        self.needed.insert(kept);
        if kind != OneOfKind::AtLeastOne {
            for name in names.iter().copied().filter(|name| *name != kept) {
                self.hide(name);
                self.avoided.insert(name);
            }
        }
    }
}
