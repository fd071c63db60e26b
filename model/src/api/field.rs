//! A field of a type.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::Marks;

/// A field. `T` refers to its type.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[expect(clippy::struct_excessive_bools, reason = "each is a mark of its own")]
pub struct Field<T> {
    /// Its name on the wire; empty for the field of a newtype, and for a flattened field.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub name: String,
    /// Its doc comment, cleaned; empty if it has none.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub docs: String,
    /// Its type. `None` for a schemaless field: its type is not looked at.
    #[serde(default = "none", skip_serializing_if = "Option::is_none")]
    pub ty: Option<T>,
    /// Whether it has to be there.
    #[serde(default, skip_serializing_if = "is_default")]
    pub presence: Presence,
    /// Its properties are those of the parent.
    #[serde(default, skip_serializing_if = "is_default")]
    pub flatten: bool,
    /// `f32` and `f64` are meant.
    #[serde(default, skip_serializing_if = "is_default")]
    pub allow_float: bool,
    /// May not change; if it is optional the parent gets a rule, too.
    #[serde(default, skip_serializing_if = "is_default")]
    pub immutable: bool,
    /// The value of an absent field.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub default: Option<Default>,
    /// What `#[kb(...)]` says of its value.
    #[serde(default, skip_serializing_if = "Marks::is_empty")]
    pub marks: Marks,
    /// Print columns.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub columns: Vec<Column>,
    /// Its part in the scale subresource.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scale: Option<ScalePart>,
    /// Objects can be selected by it.
    #[serde(default, skip_serializing_if = "is_default")]
    pub selectable: bool,
    /// Why it may be lost between two versions of the kind.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lossy: Option<String>,
}

/// Whether a field has to be there.
#[derive(Clone, Copy, Debug, std::default::Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Presence {
    /// It must, unless its type is [`Type::Optional`](super::Type::Optional).
    #[default]
    ByType,
    /// It must, whatever its type.
    Required,
    /// It need not, whatever its type.
    Optional,
}

/// The value of an absent field.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Default {
    /// This one.
    Value(Value),
    /// What a Rust expression gives: its position in the list of expressions. A resolver replaces it by a value.
    Expression(usize),
}

/// A print column of the field it stands on: path and type follow from the field.
#[derive(Clone, Debug, std::default::Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Column {
    /// The heading; if absent, it is made of the field's name (`readyReplicas`: "Ready Replicas").
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// The description; if absent, none is written.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// The format; if absent, none is written.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub format: Option<String>,
    /// Above 0: only in the wide view.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub priority: Option<i32>,
}

/// What a field is to the scale subresource. Whether it is wished or counted follows from where it stands: spec or status.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum ScalePart {
    /// The number of replicas: `scale(replicas)`.
    Replicas,
    /// The label selector in its text form: `scale(selector)`.
    Selector,
}

impl<T> Field<T> {
    /// A required field of this type with nothing else said.
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

    /// The same field with its type replaced.
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
