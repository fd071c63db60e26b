//! Keywords allowed in the schema of a CRD.
//!
//! Schemas built here use no others. Foreign schemas are checked, because the API server drops or rejects the rest: `$ref`, `const`, several
//! types.

use serde_json::Value;

/// Keywords accepted by the API server.
pub const KEYWORDS: [&str; 36] = [
    "additionalProperties",
    "allOf",
    "anyOf",
    "default",
    "description",
    "enum",
    "example",
    "exclusiveMaximum",
    "exclusiveMinimum",
    "externalDocs",
    "format",
    "items",
    "maxItems",
    "maxLength",
    "maxProperties",
    "maximum",
    "minItems",
    "minLength",
    "minProperties",
    "minimum",
    "multipleOf",
    "not",
    "nullable",
    "oneOf",
    "pattern",
    "properties",
    "required",
    "title",
    "type",
    "x-kubernetes-embedded-resource",
    "x-kubernetes-int-or-string",
    "x-kubernetes-list-map-keys",
    "x-kubernetes-list-type",
    "x-kubernetes-map-type",
    "x-kubernetes-preserve-unknown-fields",
    "x-kubernetes-validations",
];

/// Returns why a foreign schema is not allowed in a CRD.
pub(super) fn rejection(schema: &Value) -> Option<String> {
    let Some(keywords) = schema.as_object() else {
        return Some(format!("expected an object as schema, found `{schema}`"));
    };
    keywords.iter().find_map(|(keyword, value)| {
        if !KEYWORDS.contains(&keyword.as_str()) {
            return Some(format!("schemas of CRDs do not support `{keyword}`"));
        }
        match keyword.as_str() {
            "properties" => value.as_object()?.values().find_map(rejection),
            "allOf" | "anyOf" | "oneOf" => value.as_array()?.iter().find_map(rejection),
            "items" | "not" => rejection(value),
            "additionalProperties" if !value.is_boolean() => rejection(value),
            "type" if !value.is_string() => {
                Some(format!("expected a string as `type`, found `{value}`"))
            }
            "exclusiveMinimum" | "exclusiveMaximum" if !value.is_boolean() => Some(format!(
                "expected `true` or `false` as `{keyword}`, found `{value}`"
            )),
            _ => None,
        }
    })
}
