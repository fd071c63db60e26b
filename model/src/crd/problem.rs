//! Problems of an API.
//!
//! A problem refers to the model, not to a file: macro and CLI know where each field and marker is written. `Display` is for other callers.

use std::fmt;

use crate::api::TypeId;

/// A problem that prevents building a CRD.
///
/// `Display` is one line without the hint: `Foo (v1) .spec.name: `minimum` requires a number, but `name` is a string`.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{location}{message}")]
pub struct Problem {
    /// Position.
    pub location: Location,
    /// Problem: a sentence without a period.
    pub message: String,
    /// Hint, in the same form.
    pub help: Option<String>,
}

/// A position in the model of an API.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Location {
    /// Kind and version, such as `Foo (v1)`, or the kind alone if all versions are affected.
    pub kind: Option<String>,
    /// Type that contains the problem.
    pub type_id: Option<TypeId>,
    /// Field of that type, by JSON name; may be a variant.
    pub field: Option<String>,
    /// Marker, such as `minimum`; `items` for a marker inside of `items(...)`.
    pub mark: Option<String>,
    /// Path in the object, such as `.spec.replicas`; empty for the kind itself.
    pub path: String,
}

impl fmt::Display for Location {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kind = self.kind.as_deref().unwrap_or_default();
        match (kind, self.path.as_str()) {
            ("", "") => Ok(()),
            ("", path) => write!(f, "{path}: "),
            (kind, "") => write!(f, "{kind}: "),
            (kind, path) => write!(f, "{kind} {path}: "),
        }
    }
}
