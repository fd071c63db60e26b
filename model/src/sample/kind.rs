//! The sample of a whole kind.

use serde_json::{Map, Value};

use super::{layers::Layers, value::value};

/// What a sample does not say, or not by itself: names are the caller's, the status is the controller's.
const OTHERS: [&str; 4] = ["apiVersion", "kind", "metadata", "status"];

/// The fields of a sample, besides `apiVersion`, `kind` and `metadata`, of a kind with this `openAPIV3Schema`.
///
/// The spec is part of it even where it may be absent: a sample without one shows nothing.
pub fn sample(schema: &Value) -> Map<String, Value> {
    let root = Layers::of([schema]);
    let mut sample = match value(&root, "", 0) {
        Value::Object(fields) => fields,
        _ => Map::new(),
    };
    if let Some(spec) = schema.pointer("/properties/spec") {
        let spec = || value(&Layers::of([spec]), "spec", 0);
        sample.entry("spec").or_insert_with(spec);
    }
    sample.retain(|name, _| !OTHERS.contains(&name.as_str()));
    sample
}
