//! What is wrong with an API, and where.
//!
//! A problem names its place in the model, not in a file: the macro and the command both know where each field and mark
//! was written, and show it there. `Display` is for those who do not.

use std::fmt;

use crate::api::TypeId;

/// Something that keeps a CRD from being made.
///
/// `Display` gives one line without the help: `Foo (v1) .spec.name: `minimum` requires a number, but `name` is a string`.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{place}{message}")]
pub struct Problem {
    /// Where it is.
    pub place: Place,
    /// What is wrong: a sentence without a full stop.
    pub message: String,
    /// What to do about it, in the same form.
    pub help: Option<String>,
}

/// A place in the model of an API.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Place {
    /// The kind and its version, as `Foo (v1)`; the kind alone, as `Foo`, where it is about all versions.
    pub kind: Option<String>,
    /// The type the problem is written in.
    pub type_id: Option<TypeId>,
    /// The field of that type, by its name on the wire; a variant counts as one.
    pub field: Option<String>,
    /// The marker as it is written, such as `minimum`; for a mark inside `items(...)` it is `items`.
    pub mark: Option<String>,
    /// The path in the object, as `.spec.replicas`; empty if it is about the kind itself.
    pub path: String,
}

impl fmt::Display for Place {
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
