//! What the types of an API look like to Kubernetes: [`Schema`], and who implements it.
//!
//! `#[kb::object]` and `#[kb::resource]` implement it for the types they stand on; here are Rust's own types and those of
//! k8s-openapi. An implementation only says what a type is ([`Type`]): what its schema looks like in a document is the
//! business of kb-model, as it is for the command, so that both write the same.

mod core_types;
mod form;
mod kubernetes;
mod map_key;
mod registry;
mod std_types;

pub use form::{
    AllowFloat, Any, Choice, Flag, Float, IntOrString, List, Map, Number, Object, PlainText,
};
pub use kb_model::api::Type;
pub use map_key::MapKey;
pub(crate) use registry::{Describe, describe};
pub use registry::{Registry, SchemaType};

use kubernetes::core_type;

/// A type that can stand in an API.
///
/// Implemented by [`#[kb::object]`](macro@crate::object), for the types of Rust that have a form in JSON, and for those of k8s-openapi.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no type of an API",
    label = "its schema is not known",
    note = "if it is yours: put `#[kb::object]` on it",
    note = "if it is foreign, say its schema at the field: `#[kb(json_schema)]` takes its `schemars::JsonSchema`, `#[kb(schema_type = \"string\")]` gives its JSON type, `#[kb(schemaless)]` leaves it open",
    note = "durations are `kb::Duration`, and bytes `kb::k8s_openapi::ByteString`"
)]
pub trait Schema {
    /// What it is on the wire, as far as markers ask: one of the types of [`kb::schema`](crate::schema), such as [`Number`].
    type Form;

    /// What it is. A type with a definition registers it.
    fn schema_type(types: &mut Registry) -> Type;

    /// Whether this value is left out where it is written: an `Option` that is `None`.
    fn is_absent(&self) -> bool {
        false
    }
}
