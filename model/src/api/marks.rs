//! What markers say of a value: the keywords of its schema.
//!
//! The same set serves types, fields, elements (`items(...)`) and map values (`values(...)`). Whether a mark fits the
//! type it stands on is the schema builder's to check; whether it is written well is the reader's.

use serde::{Deserialize, Serialize};
use serde_json::{Number, Value};

/// Marks on a type, a field, an element or a map value.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is a keyword of its own"
)]
pub struct Marks {
    /// `schema_type`: the JSON type, whatever the Rust type says.
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
    /// `list_map_key`, repeatable; says `list_type = "map"` by itself.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub list_map_keys: Vec<String>,
    /// `map_type`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub map_type: Option<MapType>,
    /// `cel`, repeatable, in order.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub rules: Vec<Rule>,
    /// `at_most_one_of` and its like, repeatable, in order; on types only.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub one_of: Vec<OneOf>,
    /// `items(...)`: of the elements of a list.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub items: Option<Box<Marks>>,
    /// `values(...)`: of the values of a map.
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

/// How lists are merged by server-side apply.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ListType {
    /// As one value.
    Atomic,
    /// By equality of elements.
    Set,
    /// By keys of elements.
    Map,
}

/// How objects are merged by server-side apply.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum MapType {
    /// As one value.
    Atomic,
    /// Key by key.
    Granular,
}

/// Where more is written.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ExternalDocs {
    /// The address.
    pub url: String,
    /// What is found there.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
}

/// A CEL rule: an entry of `x-kubernetes-validations`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Rule {
    /// The expression.
    pub rule: String,
    /// What to say when it is false.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
    /// An expression that gives the message.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub message_expression: Option<String>,
    /// The machine-readable reason.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<Reason>,
    /// The field the error is about.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub field_path: Option<String>,
    /// Whether `oldSelf` is optional.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub optional_old_self: Option<bool>,
}

/// The machine-readable reason of a failed rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Reason {
    /// A value that is not allowed.
    FieldValueInvalid,
    /// A field that must not be set.
    FieldValueForbidden,
    /// A field that must be set.
    FieldValueRequired,
    /// A value that must be unique.
    FieldValueDuplicate,
}

/// A rule on how many of some fields are set.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct OneOf {
    /// How many.
    pub kind: OneOfKind,
    /// The fields by their names on the wire.
    pub fields: Vec<String>,
}

/// How many fields may be set. The order is that in which their rules are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum OneOfKind {
    /// None or one.
    AtMostOne,
    /// One.
    ExactlyOne,
    /// One or more.
    AtLeastOne,
}

impl Marks {
    /// Whether nothing is said.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

#[expect(
    clippy::trivially_copy_pass_by_ref,
    reason = "serde asks for a reference"
)]
fn is_false(value: &bool) -> bool {
    !value
}
