//! Resolved types and definitions.

use std::{collections::BTreeMap, fmt};

use serde::{Deserialize, Serialize};

use super::TypeDef;

/// A resolved type.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Type {
    /// `bool`.
    Bool,
    /// An integer; `isize` and `usize` have 64 bits.
    Integer {
        /// 8, 16, 32, 64 or 128.
        bits: u8,
        /// Whether it is signed.
        signed: bool,
    },
    /// `f32` or `f64`.
    Float,
    /// `String`, `str` and types that serialize as a string.
    String,
    /// Any JSON value: `serde_json::Value`.
    Any,
    /// `Option<T>`.
    Optional(Box<Type>),
    /// `Vec<T>` etc.
    List(Box<Type>),
    /// `BTreeSet<T>` etc.
    Set(Box<Type>),
    /// `[T; N]`.
    Array(Box<Type>, u64),
    /// A map with string keys in JSON.
    Map(Box<Type>),
    /// A Kubernetes type, by its `OpenAPI` component name.
    Core(String),
    /// A type of the API.
    Ref(TypeId),
    /// A foreign schema, used verbatim.
    Raw(serde_json::Value),
}

/// Identifies a definition within [`Types`]. Never part of a document.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct TypeId(String);

impl TypeId {
    /// Returns the id of a type path, including generic arguments.
    pub fn new(path: impl Into<String>) -> Self {
        Self(path.into())
    }

    /// Returns the path.
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
