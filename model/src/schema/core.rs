//! Kubernetes' own types: their schemas from the table, their descriptions from the caller.
//!
//! The table has no descriptions. A caller that wants them gives schemas that have some, with references between them or
//! without; both are walked side by side, and nothing else is taken from those.

use std::collections::BTreeMap;

use serde_json::Value;

use super::node::Keywords;
use crate::core_types;

type Described = BTreeMap<String, Value>;

/// The schema of a component, or why it has none.
pub(super) fn schema(component: &str, described: &Described) -> Result<Keywords, String> {
    let schema = core_types::schema(component).map_err(|error| error.to_string())?;
    let Some(Value::Object(mut keywords)) = schema else {
        return Err(format!(
            "`{component}` is not among the types of Kubernetes that kb knows"
        ));
    };
    if let Some(source) = described.get(component) {
        describe(&mut keywords, source, described);
    }
    Ok(keywords)
}

/// The text of a type, and what is inside it.
///
/// A type without properties has no text: such types, as `Quantity` and `Time`, are those that controller-gen knows by itself.
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

/// The component that a schema refers to: `$ref`, alone or as the only part of an `allOf`.
fn reference(source: &Value) -> Option<&str> {
    let whole = source
        .get("$ref")
        .or_else(|| source.get("allOf")?.get(0)?.get("$ref"))?;
    whole.as_str()?.rsplit('/').next()
}
