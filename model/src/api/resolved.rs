//! What the type of a field resolves to, and the definitions that belong together.

use std::{collections::BTreeMap, fmt};

use serde::{Deserialize, Serialize};

use super::TypeDef;

/// A resolved type.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Type {
    /// `bool`.
    Bool,
    /// An integer of so many bits; `isize` and `usize` have 64.
    Integer {
        /// 8, 16, 32, 64 or 128.
        bits: u8,
        /// Whether it can be negative.
        signed: bool,
    },
    /// `f32` or `f64`.
    Float,
    /// `String`, `str` and what serde writes as one.
    String,
    /// Any JSON value: `serde_json::Value`.
    Any,
    /// `Option<T>`: may be absent.
    Optional(Box<Type>),
    /// `Vec<T>` and its like.
    List(Box<Type>),
    /// `BTreeSet<T>` and its like.
    Set(Box<Type>),
    /// `[T; N]`.
    Array(Box<Type>, u64),
    /// A map whose keys are strings on the wire.
    Map(Box<Type>),
    /// A type of Kubernetes, by its `OpenAPI` component name.
    Core(String),
    /// A type of the API.
    Ref(TypeId),
    /// A schema that somebody else wrote: taken as it is.
    Raw(serde_json::Value),
}

/// Names a definition: unique within one [`Types`], never printed into a document.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct TypeId(String);

impl TypeId {
    /// The id of the type with this path; generic arguments are part of it.
    pub fn new(path: impl Into<String>) -> Self {
        Self(path.into())
    }

    /// The path.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for TypeId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// Resolved definitions by id.
pub type Types = BTreeMap<TypeId, TypeDef<Type>>;
