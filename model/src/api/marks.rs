//! Marks: schema keywords set by markers.
//!
//! The same set applies to types, fields, elements (`items(...)`) and map values (`values(...)`). The schema builder checks that a mark fits the type.

use serde::{Deserialize, Serialize};
use serde_json::{Number, Value};

/// Marks on a type, field, element or map value.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
#[expect(clippy::struct_excessive_bools, reason = "each one is a keyword")]
pub struct Marks {
    /// `schema_type`: JSON type that overrides the Rust type.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub schema_type: Option<SchemaType>,
    /// `minimum`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub minimum: Option<Number>,
    /// `maximum`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub maximum: Option<Number>,
    /// `exclusive_minimum`.
    #[serde(skip_serializing_if = "is_false")]
    pub exclusive_minimum: bool,
    /// `exclusive_maximum`.
    #[serde(skip_serializing_if = "is_false")]
    pub exclusive_maximum: bool,
    /// `multiple_of`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub multiple_of: Option<Number>,
    /// `min_length`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub min_length: Option<u64>,
    /// `max_length`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_length: Option<u64>,
    /// `pattern`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pattern: Option<String>,
    /// `format`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub format: Option<String>,
    /// `min_items`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub min_items: Option<u64>,
    /// `max_items`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_items: Option<u64>,
    /// `min_properties`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub min_properties: Option<u64>,
    /// `max_properties`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_properties: Option<u64>,
    /// `enum`.
    #[serde(rename = "enum", skip_serializing_if = "Vec::is_empty")]
    pub enum_values: Vec<Value>,
    /// `title`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// `example`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub example: Option<Value>,
    /// `external_docs`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub external_docs: Option<ExternalDocs>,
    /// `nullable`.
    #[serde(skip_serializing_if = "is_false")]
    pub nullable: bool,
    /// `preserve_unknown_fields`.
    #[serde(skip_serializing_if = "is_false")]
    pub preserve_unknown_fields: bool,
    /// `embedded_resource`.
    #[serde(skip_serializing_if = "is_false")]
    pub embedded_resource: bool,
    /// `int_or_string`.
    #[serde(skip_serializing_if = "is_false")]
    pub int_or_string: bool,
    /// `list_type`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub list_type: Option<ListType>,
    /// `list_map_key`, repeatable; implies `list_type = "map"`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub list_map_keys: Vec<String>,
    /// `map_type`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub map_type: Option<MapType>,
    /// `cel`, repeatable, in order.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub rules: Vec<Rule>,
    /// `at_most_one_of` etc., repeatable, in order; on types only.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub one_of: Vec<OneOf>,
    /// `items(...)`: marks of list elements.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub items: Option<Box<Marks>>,
    /// `values(...)`: marks of map values.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub values: Option<Box<Marks>>,
}

/// A JSON type.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum SchemaType {
    /// `array`.
    Array,
    /// `boolean`.
    Boolean,
    /// `integer`.
    Integer,
    /// `number`.
    Number,
    /// `object`.
    Object,
    /// `string`.
    String,
}

/// Merge strategy of lists in server-side apply.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ListType {
    /// Atomic.
    Atomic,
    /// Set of elements.
    Set,
    /// Elements identified by keys.
    Map,
}

/// Merge strategy of objects in server-side apply.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum MapType {
    /// Atomic.
    Atomic,
    /// By key.
    Granular,
}

/// External documentation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ExternalDocs {
    /// URL.
    pub url: String,
    /// Description.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
}

/// A CEL rule: an entry of `x-kubernetes-validations`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Rule {
    /// Expression.
    pub rule: String,
    /// Message.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
    /// Message expression.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub message_expression: Option<String>,
    /// Machine-readable reason.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<Reason>,
    /// Path of the field that the error refers to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub field_path: Option<String>,
    /// Whether `oldSelf` is optional.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub optional_old_self: Option<bool>,
}

/// Machine-readable reason of a failed rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Reason {
    /// Invalid value.
    FieldValueInvalid,
    /// Forbidden field.
    FieldValueForbidden,
    /// Missing field.
    FieldValueRequired,
    /// Duplicate value.
    FieldValueDuplicate,
}

/// A rule on how many of several fields are set.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct OneOf {
    /// Quantity.
    pub kind: OneOfKind,
    /// JSON names of the fields.
    pub fields: Vec<String>,
}

/// How many fields may be set, in the order in which rules are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum OneOfKind {
    /// At most one.
    AtMostOne,
    /// Exactly one.
    ExactlyOne,
    /// At least one.
    AtLeastOne,
}

impl Marks {
    /// Returns whether there are no marks.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

#[expect(
    clippy::trivially_copy_pass_by_ref,
    reason = "serde passes a reference"
)]
fn is_false(value: &bool) -> bool {
    !value
}
