//! A kind in one version, as declared by `#[kb::resource(...)]`.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::Marks;
use crate::{ApiGroup, Kind, Plural, Version};

/// A kind in one version. `T` refers to the types of its spec and status.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Resource<T> {
    /// API group.
    pub group: ApiGroup,
    /// Version.
    pub version: Version,
    /// Kind.
    pub kind: Kind,
    /// Plural in lower case.
    pub plural: Plural,
    /// Singular, by default the kind in lower case.
    pub singular: String,
    /// List kind, by default the kind with `List`.
    pub list_kind: String,
    /// Short names for kubectl.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub short_names: Vec<String>,
    /// Categories for kubectl.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub categories: Vec<String>,
    /// Scope.
    pub scope: Scope,
    /// Description; may be empty.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub docs: String,
    /// Marks of the whole object.
    #[serde(default, skip_serializing_if = "Marks::is_empty")]
    pub marks: Marks,
    /// Type of the spec.
    pub spec: T,
    /// Position of the spec's fields.
    pub spec_layout: SpecLayout,
    /// Type of the status.
    #[serde(default = "none", skip_serializing_if = "Option::is_none")]
    pub status: Option<T>,
    /// Whether it has a status subresource.
    #[serde(default)]
    pub status_subresource: bool,
    /// Scale subresource, if not declared by fields.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scale: Option<ScalePaths>,
    /// Printer columns that are not declared by fields. They come last.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub columns: Vec<TypeColumn>,
    /// Whether this is the storage version. `None`: if it is the only one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub storage: Option<bool>,
    /// Whether this version is served.
    pub served: bool,
    /// Deprecation.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub deprecated: Option<Deprecation>,
    /// Annotations of the CRD.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub annotations: BTreeMap<String, String>,
    /// Labels of the CRD.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub labels: BTreeMap<String, String>,
}

/// Scope of a kind.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Scope {
    /// Namespaced.
    #[default]
    Namespaced,
    /// Cluster-scoped.
    Cluster,
}

/// Position of the spec's fields.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum SpecLayout {
    /// In the required `spec`.
    #[default]
    Required,
    /// In the optional `spec`: `optional_spec`.
    Optional,
    /// At the root, as siblings of `metadata`: `no_spec`.
    Root,
}

/// Scale subresource by paths.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ScalePaths {
    /// Path of the desired replicas.
    pub spec_replicas: String,
    /// Path of the observed replicas.
    pub status_replicas: String,
    /// Path of the label selector.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub selector: Option<String>,
}

/// Printer column by path.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct TypeColumn {
    /// Heading.
    pub name: String,
    /// `boolean`, `date`, `integer`, `number` or `string`.
    #[serde(rename = "type")]
    pub column_type: String,
    /// Path, such as `.metadata.creationTimestamp`.
    pub json_path: String,
    /// Description.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// Format.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub format: Option<String>,
    /// Priority; above 0 only in the wide view.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub priority: Option<i32>,
}

/// Deprecation of a version.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Deprecation {
    /// Warning for clients; the API server has a default.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub warning: Option<String>,
}

impl<T> Resource<T> {
    /// Replaces the type references.
    pub fn try_map<U, E>(
        self,
        resolve: &mut impl FnMut(T) -> Result<U, E>,
    ) -> Result<Resource<U>, E> {
        Ok(Resource {
            group: self.group,
            version: self.version,
            kind: self.kind,
            plural: self.plural,
            singular: self.singular,
            list_kind: self.list_kind,
            short_names: self.short_names,
            categories: self.categories,
            scope: self.scope,
            docs: self.docs,
            marks: self.marks,
            spec: resolve(self.spec)?,
            spec_layout: self.spec_layout,
            status: self.status.map(resolve).transpose()?,
            status_subresource: self.status_subresource,
            scale: self.scale,
            columns: self.columns,
            storage: self.storage,
            served: self.served,
            deprecated: self.deprecated,
            annotations: self.annotations,
            labels: self.labels,
        })
    }
}

fn none<T>() -> Option<T> {
    None
}
