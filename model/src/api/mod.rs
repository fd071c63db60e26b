//! An API as written by its author: kinds, types, fields and marks.
//!
//! `markers` reads annotated Rust items into these types; `schema` and `crd` build Kubernetes documents of them. Definitions are generic over type
//! references: as read they contain indices into a list of types ([`TypeDef<usize>`]), which a resolver (rustc via the macro, or the CLI) replaces by
//! [`Type`]s. All of it is plain data and serializable, because the macro passes it to the runtime as JSON.

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
pub use resource::{Deprecation, Resource, ScalePaths, Scope, SpecLayout, TypeColumn};
pub use type_def::{Shape, TypeDef, Variant, VariantContent};
