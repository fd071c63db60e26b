//! Schemas of API types: [`Schema`] and its implementations.
//!
//! `#[kb::object]` and `#[kb::resource]` implement it for their types; this module implements it for the types of std and
//! k8s-openapi. An implementation only returns the [`Type`]; kb-model renders the schema, for the runtime and for `kb-rs
//! generate` alike.

mod core_types;
mod form;
mod kubernetes;
mod map_key;
mod registry;
mod std_types;

pub use form::Form;
pub use kb_model::api::Type;
pub use map_key::MapKey;
pub(crate) use registry::{Describe, describe};
pub use registry::{Registry, SchemaType};

use kubernetes::core_type;

/// A type that can be used in an API.
///
/// Implemented by [`#[kb::object]`](macro@crate::object), for std types with a JSON representation, and for the types of k8s-openapi.
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no schema, so it cannot be used in an API",
    label = "unknown schema",
    note = "for your own type, add `#[kb::object]`",
    note = "for a foreign type, declare the schema on the field: `#[kb(json_schema)]` uses its `schemars::JsonSchema`, `#[kb(schema_type = \"string\")]` sets the JSON type, `#[kb(schemaless)]` accepts any value",
    note = "use `kb::Duration` for durations and `kb::k8s_openapi::ByteString` for bytes"
)]
pub trait Schema {
    /// JSON form, which decides the markers that fit.
    const FORM: Form;

    /// Returns the type. A type with a definition registers it.
    fn schema_type(types: &mut Registry) -> Type;

    /// Returns whether serialization skips this value: an `Option` that is `None`.
    fn is_absent(&self) -> bool {
        false
    }
}
