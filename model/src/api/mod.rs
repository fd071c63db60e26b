//! An API as its author wrote it: kinds, types, fields and what their markers say.
//!
//! `markers` reads annotated Rust items into these types; `schema` and `crd` make Kubernetes documents of them. A
//! definition is generic in how it refers to other types: as read it holds positions in a list of written types
//! ([`TypeDef<usize>`]); a resolver (rustc behind the macro, or the command) replaces each by a [`Type`]. All of it is
//! plain data that survives JSON, because that is how the macro hands it to the runtime.

mod field;
mod marks;
mod resolved;
mod resource;
mod type_def;

pub use field::{Column, Default, Field, Presence, ScalePart};
pub use marks::{
    ExternalDocs, ListType, MapType, Marks, OneOf, OneOfKind, Reason, Rule, SchemaType,
};
pub use resolved::{Type, TypeId, Types};
pub use resource::{Deprecation, Resource, ScalePaths, Scope, SpecPlace, TypeColumn};
pub use type_def::{Shape, TypeDef, Variant, VariantContent};
