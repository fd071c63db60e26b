//! Functions called by generated code. Not part of the public API.
//!
//! The macros delegate as much as possible to these functions, which are compiled once and not once per type.

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

/// Returns whether a value equals the default of its type. Such values of `#[kb(optional)]` fields are omitted.
pub fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}

/// Serializes a default.
///
/// # Panics
///
/// Panics if serialization fails.
pub fn to_json<T: Serialize>(value: &T) -> Value {
    let json = serde_json::to_value(value);
    json.unwrap_or_else(|error| {
        panic!(
            "failed to serialize a default of type `{}`: {error}",
            std::any::type_name::<T>()
        )
    })
}

/// Returns the type of a field with `#[kb(json_schema)]`.
pub fn foreign<T: JsonSchema>(_: &mut Registry) -> Type {
    Type::Raw(describe(T::json_schema))
}

/// Creates the definition of a kind.
pub fn definition(resource: &str, types: &[SchemaType]) -> CrdDefinition {
    CrdDefinition::parse(resource, types)
}

/// Returns the CRD of a kind.
pub fn crd(definition: CrdDefinition) -> CustomResourceDefinition {
    crds::crd(definition)
}

/// Returns the schema of a kind for `schemars`.
pub fn kind_schema(definition: CrdDefinition) -> JsonSchemaDocument {
    document(crds::open_api_schema(definition))
}

/// Returns the schema of a type for `schemars`.
///
/// # Panics
///
/// Panics with all problems if the schema is invalid.
pub fn type_schema(schema_type: SchemaType) -> JsonSchemaDocument {
    let mut registry = Registry::default();
    let ty = schema_type(&mut registry);
    let (types, _) = registry.into_parts();
    let schema = kb_model::schema::schema(&ty, &types);
    document(schema.unwrap_or_else(|problems| panic!("{}", crds::format_problems(&problems))))
}

fn document(schema: Value) -> JsonSchemaDocument {
    schema.try_into().expect("a schema is a JSON object")
}
