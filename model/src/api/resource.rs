//! A kind in one version: what `#[kb::resource(...)]` says.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::Marks;
use crate::{ApiGroup, Kind, Plural, Version};

/// A kind in one version. `T` refers to the types of its spec and status.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Resource<T> {
    /// The API group.
    pub group: ApiGroup,
    /// The version.
    pub version: Version,
    /// The kind.
    pub kind: Kind,
    /// The plural, in lower case.
    pub plural: Plural,
    /// The singular; the kind in lower case unless said.
    pub singular: String,
    /// The kind of lists; the kind with `List` unless said.
    pub list_kind: String,
    /// Short names for kubectl.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub short_names: Vec<String>,
    /// Categories for kubectl.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub categories: Vec<String>,
    /// Whether objects live in namespaces.
    pub scope: Scope,
    /// The description of the kind; empty for none.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub docs: String,
    /// Marks on the whole object.
    #[serde(default, skip_serializing_if = "Marks::is_empty")]
    pub marks: Marks,
    /// The type of the spec.
    pub spec: T,
    /// Where the spec's fields stand.
    pub spec_place: SpecPlace,
    /// The type of the status.
    #[serde(default = "none", skip_serializing_if = "Option::is_none")]
    pub status: Option<T>,
    /// Whether there is a status subresource.
    #[serde(default)]
    pub status_subresource: bool,
    /// The scale subresource, where no field says it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scale: Option<ScalePaths>,
    /// Print columns that are no field of the types. They come after those of the fields.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub columns: Vec<TypeColumn>,
    /// Whether this version is the one that is stored; `None`: it is if it is the only one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub storage: Option<bool>,
    /// Whether this version is served.
    pub served: bool,
    /// Whether this version is deprecated.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub deprecated: Option<Deprecation>,
    /// Annotations of the CRD.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub annotations: BTreeMap<String, String>,
    /// Labels of the CRD.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub labels: BTreeMap<String, String>,
}

/// Whether objects live in namespaces.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Scope {
    /// They do.
    #[default]
    Namespaced,
    /// They do not.
    Cluster,
}

/// Where the fields of the spec stand.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum SpecPlace {
    /// Under `spec`, which must be there.
    #[default]
    Required,
    /// Under `spec`, which may be absent: `optional_spec`.
    Optional,
    /// Beside `metadata`: `no_spec`.
    Root,
}

/// The scale subresource by paths.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ScalePaths {
    /// Where the wished number is.
    pub spec_replicas: String,
    /// Where the counted number is.
    pub status_replicas: String,
    /// Where the label selector is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub selector: Option<String>,
}

/// A print column by path.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct TypeColumn {
    /// The heading.
    pub name: String,
    /// `boolean`, `date`, `integer`, `number` or `string`.
    #[serde(rename = "type")]
    pub column_type: String,
    /// The path, as `.metadata.creationTimestamp`.
    pub json_path: String,
    /// The description.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// The format.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub format: Option<String>,
    /// Above 0: only in the wide view.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub priority: Option<i32>,
}

/// A deprecated version.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Deprecation {
    /// What clients are told; the API server has a sentence of its own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub warning: Option<String>,
}

impl<T> Resource<T> {
    /// The same kind with its references to types replaced.
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
            spec_place: self.spec_place,
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
