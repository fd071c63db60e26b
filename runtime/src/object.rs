//! How a whole object of a kind is read and written.
//!
//! The macros emit the struct of a kind; its serde implementations come down to these, so that they are parsed and checked once.
//! `apiVersion` and `kind` are written first, as kube does, and are not looked at when an object is read.

use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;
use serde::{Deserialize, Serialize, Serializer, de::IgnoredAny, ser::SerializeStruct};

/// An object with a spec. Without a status `U` is [`IgnoredAny`].
#[derive(Debug, Deserialize)]
pub struct RequiredSpec<P, U = IgnoredAny> {
    /// Its metadata.
    pub metadata: ObjectMeta,
    /// Its spec.
    pub spec: P,
    /// Its status.
    pub status: Option<U>,
}

/// An object whose spec may be absent.
#[derive(Debug, Deserialize)]
pub struct OptionalSpec<P, U = IgnoredAny> {
    /// Its metadata.
    pub metadata: ObjectMeta,
    /// Its spec.
    #[serde(default, bound(deserialize = "P: Deserialize<'de> + Default"))]
    pub spec: P,
    /// Its status.
    pub status: Option<U>,
}

/// An object whose own fields stand beside its metadata.
#[derive(Debug, Deserialize)]
pub struct RootSpec<P, U = IgnoredAny> {
    /// Read here, so that the fields of the spec are all that is left for it.
    #[serde(default, rename = "apiVersion")]
    pub api_version: IgnoredAny,
    /// As `api_version`.
    #[serde(default)]
    pub kind: IgnoredAny,
    /// Its metadata.
    pub metadata: ObjectMeta,
    /// Its fields.
    #[serde(flatten)]
    pub spec: P,
    /// Its status.
    pub status: Option<U>,
}

/// Metadata with a name.
pub fn named(name: &str) -> ObjectMeta {
    ObjectMeta {
        name: Some(name.to_owned()),
        ..ObjectMeta::default()
    }
}

/// Writes an object with a spec.
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

/// Writes an object whose spec may be absent: one that says nothing is left out, so that reading an object and writing it back does
/// not make a spec of what was none.
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

/// Writes an object whose own fields stand beside its metadata.
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
