//! A field of a type.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::Marks;

/// A field. `T` refers to its type.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[expect(clippy::struct_excessive_bools, reason = "each one is a mark")]
pub struct Field<T> {
    /// JSON name; empty for the field of a newtype and for a flattened field.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub name: String,
    /// Doc comment, cleaned; may be empty.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub docs: String,
    /// Type. `None` for a schemaless field.
    #[serde(default = "none", skip_serializing_if = "Option::is_none")]
    pub ty: Option<T>,
    /// Whether it is required.
    #[serde(default, skip_serializing_if = "is_default")]
    pub presence: Presence,
    /// Whether it is flattened.
    #[serde(default, skip_serializing_if = "is_default")]
    pub flatten: bool,
    /// Whether floats are allowed.
    #[serde(default, skip_serializing_if = "is_default")]
    pub allow_float: bool,
    /// Whether it is immutable. If optional, the parent also gets a rule.
    #[serde(default, skip_serializing_if = "is_default")]
    pub immutable: bool,
    /// Default value.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub default: Option<Default>,
    /// Marks of its value.
    #[serde(default, skip_serializing_if = "Marks::is_empty")]
    pub marks: Marks,
    /// Printer columns.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub columns: Vec<Column>,
    /// Role in the scale subresource.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scale: Option<ScalePart>,
    /// Whether it is selectable.
    #[serde(default, skip_serializing_if = "is_default")]
    pub selectable: bool,
    /// Reason why it may be lost between versions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lossy: Option<String>,
}

/// Whether a field is required.
#[derive(Clone, Copy, Debug, std::default::Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Presence {
    /// Required, unless its type is [`Type::Optional`](super::Type::Optional).
    #[default]
    ByType,
    /// Required, whatever its type.
    Required,
    /// Optional, whatever its type.
    Optional,
}

/// Default value.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Default {
    /// A value.
    Value(Value),
    /// An index into the list of default expressions. A resolver replaces it by a value.
    Expression(usize),
}

/// Printer column of a field, which determines path and type.
#[derive(Clone, Debug, std::default::Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Column {
    /// Heading, by default derived from the field's name (`readyReplicas`: "Ready Replicas").
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// Description.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// Format.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub format: Option<String>,
    /// Priority; above 0 only in the wide view.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub priority: Option<i32>,
}

/// Role of a field in the scale subresource. Spec or status decides whether replicas are desired or observed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum ScalePart {
    /// Number of replicas: `scale(replicas)`.
    Replicas,
    /// Label selector in string form: `scale(selector)`.
    Selector,
}

impl<T> Field<T> {
    /// Creates a required field of this type.
    pub fn new(name: impl Into<String>, ty: T) -> Self {
        Self {
            name: name.into(),
            docs: String::new(),
            ty: Some(ty),
            presence: Presence::ByType,
            flatten: false,
            allow_float: false,
            immutable: false,
            default: None,
            marks: Marks::default(),
            columns: Vec::new(),
            scale: None,
            selectable: false,
            lossy: None,
        }
    }

    /// Replaces the type.
    pub(super) fn try_map<U, E>(
        self,
        resolve: &mut impl FnMut(T) -> Result<U, E>,
    ) -> Result<Field<U>, E> {
        Ok(Field {
            name: self.name,
            docs: self.docs,
            ty: self.ty.map(resolve).transpose()?,
            presence: self.presence,
            flatten: self.flatten,
            allow_float: self.allow_float,
            immutable: self.immutable,
            default: self.default,
            marks: self.marks,
            columns: self.columns,
            scale: self.scale,
            selectable: self.selectable,
            lossy: self.lossy,
        })
    }
}

fn none<T>() -> Option<T> {
    None
}

fn is_default<T: std::default::Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}
