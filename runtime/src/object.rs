//! Serialization of custom resources.
//!
//! The serde implementations of generated kinds delegate to these functions, which are compiled once. `apiVersion` and `kind` are serialized
//! first, as kube does, and ignored in deserialization.

use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;
use serde::{Deserialize, Serialize, Serializer, de::IgnoredAny, ser::SerializeStruct};

/// An object with a spec. `U` is [`IgnoredAny`] without a status.
#[derive(Debug, Deserialize)]
pub struct RequiredSpec<P, U = IgnoredAny> {
    /// Metadata of the object.
    pub metadata: ObjectMeta,
    /// Spec of the object.
    pub spec: P,
    /// Status of the object.
    pub status: Option<U>,
}

/// An object with an optional spec.
#[derive(Debug, Deserialize)]
pub struct OptionalSpec<P, U = IgnoredAny> {
    /// Metadata of the object.
    pub metadata: ObjectMeta,
    /// Spec of the object.
    #[serde(default, bound(deserialize = "P: Deserialize<'de> + Default"))]
    pub spec: P,
    /// Status of the object.
    pub status: Option<U>,
}

/// An object without `spec`, whose fields are top-level fields.
#[derive(Debug, Deserialize)]
pub struct RootSpec<P, U = IgnoredAny> {
    /// Deserialized here, so that the flattened spec does not contain it.
    #[serde(default, rename = "apiVersion")]
    pub api_version: IgnoredAny,
    /// See `api_version`.
    #[serde(default)]
    pub kind: IgnoredAny,
    /// Metadata of the object.
    pub metadata: ObjectMeta,
    /// Top-level fields of the object.
    #[serde(flatten)]
    pub spec: P,
    /// Status of the object.
    pub status: Option<U>,
}

/// Creates metadata with a name.
pub fn named(name: &str) -> ObjectMeta {
    ObjectMeta {
        name: Some(name.to_owned()),
        ..ObjectMeta::default()
    }
}

/// Serializes an object with a spec.
pub fn serialize_object<S: Serializer>(
    serializer: S,
    kind: &'static str,
    api_version: &str,
    metadata: &ObjectMeta,
    spec: &impl Serialize,
    status: Option<&impl Serialize>,
) -> Result<S::Ok, S::Error> {
    serialize(serializer, kind, api_version, metadata, Some(spec), status)
}

/// Serializes an object with an optional spec. Omits a default spec, so that a round trip does not add one.
pub fn serialize_optional<S: Serializer, P: Serialize + Default + PartialEq>(
    serializer: S,
    kind: &'static str,
    api_version: &str,
    metadata: &ObjectMeta,
    spec: &P,
    status: Option<&impl Serialize>,
) -> Result<S::Ok, S::Error> {
    let spec = (*spec != P::default()).then_some(spec);
    serialize(serializer, kind, api_version, metadata, spec, status)
}

fn serialize<S: Serializer>(
    serializer: S,
    kind: &'static str,
    api_version: &str,
    metadata: &ObjectMeta,
    spec: Option<&impl Serialize>,
    status: Option<&impl Serialize>,
) -> Result<S::Ok, S::Error> {
    let fields = 3 + usize::from(spec.is_some()) + usize::from(status.is_some());
    let mut object = serializer.serialize_struct(kind, fields)?;
    object.serialize_field("apiVersion", api_version)?;
    object.serialize_field("kind", kind)?;
    object.serialize_field("metadata", metadata)?;
    if let Some(spec) = spec {
        object.serialize_field("spec", spec)?;
    }
    if let Some(status) = status {
        object.serialize_field("status", status)?;
    }
    object.end()
}

/// Serializes an object without `spec`, whose fields are top-level fields.
pub fn serialize_root<S: Serializer>(
    serializer: S,
    kind: &'static str,
    api_version: &str,
    metadata: &ObjectMeta,
    spec: &impl Serialize,
    status: Option<&impl Serialize>,
) -> Result<S::Ok, S::Error> {
    #[derive(Serialize)]
    #[serde(rename_all = "camelCase")]
    struct Flat<'a, P, U> {
        api_version: &'a str,
        kind: &'a str,
        metadata: &'a ObjectMeta,
        #[serde(flatten)]
        spec: &'a P,
        #[serde(skip_serializing_if = "Option::is_none")]
        status: Option<&'a U>,
    }
    let flat = Flat {
        api_version,
        kind,
        metadata,
        spec,
        status,
    };
    flat.serialize(serializer)
}
