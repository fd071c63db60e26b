//! What the code written by kb's attributes calls. No part of the interface: it changes with the macros.
//!
//! Whatever the macros can leave to a function stands here, so that it is compiled once and not once per type.

pub use k8s_openapi;
pub use kube;
pub use schemars;
pub use serde;
pub use serde_json;

pub use k8s_openapi::apiextensions_apiserver::pkg::apis::apiextensions::v1::CustomResourceDefinition;
pub use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;

pub use crate::default_from::DefaultFrom;
pub use crate::object::{
    OptionalSpec, RequiredSpec, RootSpec, named, serialize_object, serialize_optional,
    serialize_root,
};

use schemars::{JsonSchema, Schema as JsonSchemaDocument};
use serde::Serialize;
use serde_json::Value;

use crate::{
    CrdDefinition, crds,
    schema::{Registry, SchemaType, Type, describe},
};

/// Whether a value is its type's default: what `#[kb(optional)]` leaves out.
pub fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}

/// A default as JSON.
///
/// # Panics
///
/// If its `Serialize` fails.
pub fn to_json<T: Serialize>(value: &T) -> Value {
    let json = serde_json::to_value(value);
    json.unwrap_or_else(|error| {
        panic!(
            "a default of the type `{}` cannot be written: {error}",
            std::any::type_name::<T>()
        )
    })
}

/// The type of a field with `#[kb(json_schema)]`.
pub fn foreign<T: JsonSchema>(_: &mut Registry) -> Type {
    Type::Raw(describe(T::json_schema))
}

/// A kind, of what its attribute says and its types.
pub fn definition(resource: &str, types: &[SchemaType]) -> CrdDefinition {
    CrdDefinition::read(resource, types)
}

/// The CRD of a kind.
pub fn crd(definition: CrdDefinition) -> CustomResourceDefinition {
    crds::one(definition)
}

/// The schema of a kind, for `schemars`.
pub fn kind_schema(definition: CrdDefinition) -> JsonSchemaDocument {
    document(crds::open_api_schema(definition))
}

/// The schema of a type, for `schemars`.
///
/// # Panics
///
/// If the type has none, with all that is wrong.
pub fn type_schema(schema_type: SchemaType) -> JsonSchemaDocument {
    let mut registry = Registry::default();
    let ty = schema_type(&mut registry);
    let (types, _) = registry.into_parts();
    let schema = kb_model::schema::schema(&ty, &types);
    document(schema.unwrap_or_else(|problems| panic!("{}", crds::lines(&problems))))
}

fn document(schema: Value) -> JsonSchemaDocument {
    schema.try_into().expect("a schema is a JSON object")
}
