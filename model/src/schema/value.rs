//! Checks values against a schema: the API server rejects a CRD with invalid defaults.
//!
//! Patterns, formats and rules are left to the server.

use serde_json::{Number, Value};

use super::node::{EMBEDDED, Keywords, describe, flag, is_int_or_string, preserves, type_of};
use super::number;

/// Returns what is wrong with a value, or `None` if it is valid: "must be an integer, but is \"x\"".
pub(super) fn mismatch(keywords: &Keywords, value: &Value) -> Option<String> {
    find_mismatch(keywords, value, &mut String::new())
}

/// Returns what is wrong with the JSON type of a value alone.
pub(super) fn type_mismatch(keywords: &Keywords, value: &Value) -> Option<String> {
    if value.is_null() && flag(keywords, "nullable") {
        return None;
    }
    let fits = if is_int_or_string(keywords) {
        value.is_string() || is_integer(value)
    } else {
        match type_of(keywords) {
            "array" => value.is_array(),
            "boolean" => value.is_boolean(),
            "integer" => is_integer(value),
            "number" => value.is_number(),
            "object" => value.is_object(),
            "string" => value.is_string(),
            _ => true,
        }
    };
    (!fits).then(|| format!("must be {}, found {value}", describe(keywords)))
}

/// Normalizes a value: numbers without fraction become integers.
pub(super) fn normalize(value: &Value) -> Value {
    match value {
        Value::Number(number) => Value::Number(number::normalize(number)),
        Value::Array(values) => values.iter().map(normalize).collect(),
        Value::Object(values) => {
            let pairs = values
                .iter()
                .map(|(name, value)| (name.clone(), normalize(value)));
            Value::Object(pairs.collect())
        }
        _ => value.clone(),
    }
}

fn is_integer(value: &Value) -> bool {
    matches!(value, Value::Number(number) if number::is_integral(number))
}

/// `at` is the path of this value within the whole.
fn find_mismatch(keywords: &Keywords, value: &Value, at: &mut String) -> Option<String> {
    if value.is_null() && flag(keywords, "nullable") {
        return None;
    }
    let here = type_mismatch(keywords, value).or_else(|| match value {
        Value::Number(number) => number_mismatch(keywords, number),
        Value::String(text) => {
            let length = text.chars().count();
            size_mismatch(keywords, length, ["minLength", "maxLength"], "characters")
        }
        Value::Array(values) => {
            size_mismatch(keywords, values.len(), ["minItems", "maxItems"], "elements")
        }
        Value::Object(values) => {
            let limits = ["minProperties", "maxProperties"];
            size_mismatch(keywords, values.len(), limits, "properties")
                .or_else(|| properties_mismatch(keywords, values))
        }
        _ => None,
    });
    let here = here.or_else(|| enum_mismatch(keywords, value));
    if let Some(here) = here {
        return Some(if at.is_empty() {
            here
        } else {
            format!("is invalid at `{at}`, which {here}")
        });
    }
    let all = keywords.get("allOf").and_then(Value::as_array);
    let parts = all.into_iter().flatten().filter_map(Value::as_object);
    let part = parts
        .into_iter()
        .find_map(|part| find_mismatch(part, value, at));
    part.or_else(|| inner_mismatch(keywords, value, at))
}

fn inner_mismatch(keywords: &Keywords, value: &Value, at: &mut String) -> Option<String> {
    let mut check = |schema: Option<&Value>, value: &Value, step: &str| {
        let schema = schema?.as_object()?;
        let length = at.len();
        at.push_str(step);
        let mismatch = find_mismatch(schema, value, at);
        at.truncate(length);
        mismatch
    };
    match value {
        Value::Array(values) => values
            .iter()
            .enumerate()
            .find_map(|(index, value)| check(keywords.get("items"), value, &format!("[{index}]"))),
        Value::Object(values) => values.iter().find_map(|(name, value)| {
            let property = keywords.get("properties").and_then(|all| all.get(name));
            let schema = property.or_else(|| keywords.get("additionalProperties"));
            check(schema, value, &format!(".{name}"))
        }),
        _ => None,
    }
}

fn number_mismatch(keywords: &Keywords, number: &Number) -> Option<String> {
    let bound = |keyword: &str| match keywords.get(keyword) {
        Some(Value::Number(bound)) => Some(bound),
        _ => None,
    };
    if let Some(minimum) = bound("minimum") {
        let exclusive = flag(keywords, "exclusiveMinimum");
        if number::is_less(number, minimum) || (exclusive && number == minimum) {
            let word = if exclusive { "more than" } else { "at least" };
            return Some(format!("must be {word} {minimum}, found {number}"));
        }
    }
    let maximum = bound("maximum")?;
    let exclusive = flag(keywords, "exclusiveMaximum");
    if number::is_less(maximum, number) || (exclusive && number == maximum) {
        let word = if exclusive { "less than" } else { "at most" };
        return Some(format!("must be {word} {maximum}, found {number}"));
    }
    None
}

fn size_mismatch(
    keywords: &Keywords,
    size: usize,
    limits: [&str; 2],
    what: &str,
) -> Option<String> {
    let [least, most] = limits.map(|keyword| keywords.get(keyword).and_then(Value::as_u64));
    let size = size as u64;
    if let Some(least) = least.filter(|least| size < *least) {
        return Some(format!("must have at least {least} {what}, found {size}"));
    }
    let most = most.filter(|most| size > *most)?;
    Some(format!("must have at most {most} {what}, found {size}"))
}

fn properties_mismatch(keywords: &Keywords, values: &Keywords) -> Option<String> {
    let required = keywords.get("required").and_then(Value::as_array);
    let embedded: &[&str] = if flag(keywords, EMBEDDED) {
        &["apiVersion", "kind"]
    } else {
        &[]
    };
    let missing = required
        .into_iter()
        .flatten()
        .filter_map(Value::as_str)
        .chain(embedded.iter().copied())
        .find(|name| !values.contains_key(*name));
    if let Some(missing) = missing {
        return Some(format!("is missing the required field `{missing}`"));
    }
    if preserves(keywords)
        || keywords.contains_key("additionalProperties")
        || type_of(keywords) != "object"
    {
        return None;
    }
    let known = keywords.get("properties").and_then(Value::as_object);
    let unknown = values
        .keys()
        .find(|name| !known.is_some_and(|known| known.contains_key(*name)))?;
    Some(format!("has an unknown field `{unknown}`"))
}

fn enum_mismatch(keywords: &Keywords, value: &Value) -> Option<String> {
    let values = keywords.get("enum")?.as_array()?;
    let list: Vec<String> = values.iter().map(Value::to_string).collect();
    (!values.contains(value)).then(|| format!("must be one of {}, found {value}", list.join(", ")))
}
