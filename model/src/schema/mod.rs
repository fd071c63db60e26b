//! Builds structural schemas of types, as controller-gen does for the same types in Go.
//!
//! A schema is a JSON object. Types are walked depth-first and inlined; marks of a field are merged into the schema of its type. Printer columns,
//! scale paths and selectable fields are collected with their paths, and everything that the API server would reject is reported.

mod bounds;
mod builder;
mod cel;
mod complete;
mod contributions;
mod core;
mod flatten;
mod format;

mod keyword;
mod list;
mod lookup;
mod loss;
mod marks;
mod merge;
mod node;
mod number;
mod object;
mod path;
mod root;
mod rules;
mod standalone;
mod subject;
mod value;

pub use cel::cel_name;
pub use keyword::KEYWORDS;
pub use loss::{Cause, Loss, losses};
pub use standalone::schema;

pub(crate) use builder::{Builder, FieldLocations};
pub(crate) use contributions::{
    COLUMN_FORMATS, COLUMN_TYPES, Contributions, ScaleField, unknown_format,
};
pub(crate) use lookup::{Target, lookup};
#[cfg(feature = "sample")]
pub(crate) use node::{EMBEDDED, INT_OR_STRING, LIST_MAP_KEYS, LIST_TYPE, VALIDATIONS};
