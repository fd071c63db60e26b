//! Kubernetes types: schemas from the table, descriptions from the caller.
//!
//! The table has no descriptions. Callers can pass schemas with descriptions, with or without references; only the descriptions are used.

use std::collections::BTreeMap;

use serde_json::Value;

use super::node::Keywords;
use crate::core_types;

type Described = BTreeMap<String, Value>;

/// Returns the schema of a component, or why it has none.
pub(super) fn schema(component: &str, described: &Described) -> Result<Keywords, String> {
    let schema = core_types::schema(component).map_err(|error| error.to_string())?;
    let Some(Value::Object(mut keywords)) = schema else {
        return Err(format!("unknown Kubernetes type `{component}`"));
    };
    if let Some(source) = described.get(component) {
        describe(&mut keywords, source, described);
    }
    Ok(keywords)
}

/// Adds the descriptions of a type and its content.
///
/// Types without properties, such as `Quantity` and `Time`, get none, like controller-gen's known types.
fn describe(keywords: &mut Keywords, source: &Value, described: &Described) {
    if keywords.contains_key("properties") {
        take_text(keywords, source);
    }
    describe_inside(keywords, source, described);
}

fn describe_inside(keywords: &mut Keywords, source: &Value, described: &Described) {
    for (name, property) in objects_of(keywords, "properties") {
        if let Some(source) = source.get("properties").and_then(|all| all.get(name))
            && let Value::Object(property) = property
        {
            take_text(property, source);
            describe_inside(property, source, described);
        }
    }
    for inner in ["items", "additionalProperties"] {
        if let (Some(Value::Object(keywords)), Some(source)) =
            (keywords.get_mut(inner), source.get(inner))
        {
            describe(keywords, source, described);
        }
    }
    if let Some(target) = reference(source).and_then(|name| described.get(name)) {
        describe(keywords, target, described);
    }
}

fn take_text(keywords: &mut Keywords, source: &Value) {
    if let Some(text @ Value::String(_)) = source.get("description") {
        keywords
            .entry("description")
            .or_insert_with(|| text.clone());
    }
}

fn objects_of<'k>(
    keywords: &'k mut Keywords,
    keyword: &str,
) -> impl Iterator<Item = (&'k String, &'k mut Value)> {
    keywords
        .get_mut(keyword)
        .and_then(Value::as_object_mut)
        .into_iter()
        .flatten()
}

/// Returns the component that a schema refers to: `$ref`, alone or as the only entry of an `allOf`.
fn reference(source: &Value) -> Option<&str> {
    let whole = source
        .get("$ref")
        .or_else(|| source.get("allOf")?.get(0)?.get("$ref"))?;
    whole.as_str()?.rsplit('/').next()
}
