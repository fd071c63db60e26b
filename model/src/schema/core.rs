//! Kubernetes types: schemas from the table, descriptions from the caller.
//!
//! The table has no descriptions. Callers can pass schemas with descriptions, with or without references; only the descriptions are used.

use std::collections::BTreeMap;

use serde_json::Value;

use super::node::Keywords;
use crate::core_types;

type Descriptions = BTreeMap<String, Value>;

/// Returns the schema of a component, or why it has none.
pub(super) fn schema(component: &str, descriptions: &Descriptions) -> Result<Keywords, String> {
    let schema = core_types::schema(component).map_err(|error| error.to_string())?;
    let Some(Value::Object(mut keywords)) = schema else {
        return Err(format!("unknown Kubernetes type `{component}`"));
    };
    if let Some(source) = descriptions.get(component) {
        describe(&mut keywords, source, descriptions);
    }
    Ok(keywords)
}

/// Adds the descriptions of a type and its content.
///
/// Types without properties, such as `Quantity` and `Time`, get none, like controller-gen's known types.
fn describe(keywords: &mut Keywords, source: &Value, descriptions: &Descriptions) {
    if keywords.contains_key("properties") {
        copy_description(keywords, source);
    }
    describe_content(keywords, source, descriptions);
}

fn describe_content(keywords: &mut Keywords, source: &Value, descriptions: &Descriptions) {
    for (name, property) in entries(keywords, "properties") {
        if let Some(source) = source.get("properties").and_then(|all| all.get(name))
            && let Value::Object(property) = property
        {
            copy_description(property, source);
            describe_content(property, source, descriptions);
        }
    }
    for inner in ["items", "additionalProperties"] {
        if let (Some(Value::Object(keywords)), Some(source)) =
            (keywords.get_mut(inner), source.get(inner))
        {
            describe(keywords, source, descriptions);
        }
    }
    if let Some(target) = reference(source).and_then(|name| descriptions.get(name)) {
        describe(keywords, target, descriptions);
    }
}

fn copy_description(keywords: &mut Keywords, source: &Value) {
    if let Some(text @ Value::String(_)) = source.get("description") {
        keywords
            .entry("description")
            .or_insert_with(|| text.clone());
    }
}

fn entries<'k>(
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
    let path = source
        .get("$ref")
        .or_else(|| source.get("allOf")?.get(0)?.get("$ref"))?;
    path.as_str()?.rsplit('/').next()
}
