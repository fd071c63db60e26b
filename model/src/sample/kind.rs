//! The sample of a kind.

use serde_json::{Map, Value};

use super::{layers::Layers, value::value};

/// Fields that a sample does not set: names come from the caller, the status from the controller.
const OMITTED: [&str; 4] = ["apiVersion", "kind", "metadata", "status"];

/// Returns the fields of a sample except `apiVersion`, `kind` and `metadata`, for an `openAPIV3Schema`.
///
/// Includes the spec even if optional: a sample without spec is not helpful.
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
    sample.retain(|name, _| !OMITTED.contains(&name.as_str()));
    sample
}
