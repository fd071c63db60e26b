//! The typed configuration of a project.

use kb_model::{
    ApiGroup, ControllerName, Domain, Group, Gvk, Kind, NameError, Plural, ProjectName, Version,
};
use serde_json::{Map, Value};

use super::Image;

/// Plugin key of kb-rs: marks a project as its own in `layout`, and holds its settings under `plugins`.
pub const LAYOUT: &str = "rust.kb-rs.dev/v1";

/// Version of the PROJECT format that kb-rs reads and writes.
pub(super) const VERSION: &str = "3";

/// Fields that this version of kb-rs does not know, such as `webhooks` or the settings of other plugins.
pub(super) type Fields = Map<String, Value>;

/// Content of a PROJECT file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Project {
    /// Version of the CLI that created the project.
    pub cli_version: Option<String>,
    /// Domain of the API groups.
    pub domain: Option<Domain>,
    /// Plugin chain; includes [`LAYOUT`].
    pub layout: Vec<String>,
    /// Whether each API group has its own directory.
    pub multigroup: bool,
    /// Whether the manager watches selected namespaces only.
    pub namespaced: bool,
    /// Project name, the prefix of its objects in the cluster.
    pub name: ProjectName,
    /// Repository, Kubebuilder's Go module path.
    pub repo: Option<String>,
    /// Source of the `kb` crate: `plugins."rust.kb-rs.dev/v1".kbSource`.
    pub kb_source: Option<String>,
    /// Resources in the order of their creation.
    pub resources: Vec<Resource>,
    /// Unknown fields, including those under `plugins`.
    pub unknown: Map<String, Value>,
}

/// A kind, identified by its group, domain, version and kind.
#[derive(Debug, Clone, PartialEq, Eq)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "the fields of PROJECT are independent of each other"
)]
pub struct Resource {
    /// First part of the API group.
    pub group: Option<Group>,
    /// Rest of the API group.
    pub domain: Option<Domain>,
    /// API version.
    pub version: Version,
    /// Kind.
    pub kind: Kind,
    /// Plural, if irregular.
    pub plural: Option<Plural>,
    /// Rust module of the type.
    pub path: Option<String>,
    /// API settings, if the project defines the type.
    pub api: Option<Api>,
    /// Image that the unnamed controller deploys. The type has the fields to configure it.
    pub image: Option<Image>,
    /// Whether the kind has an unnamed controller.
    pub controller: bool,
    /// Kinds owned by the unnamed controller; empty in projects of older versions.
    pub owns: Vec<Gvk>,
    /// Whether the unnamed controller has a finalizer.
    pub finalizer: bool,
    /// Named controllers.
    pub controllers: Vec<Controller>,
    /// Whether Kubernetes defines the kind.
    pub core: bool,
    /// Whether another project defines the kind.
    pub external: bool,
    /// Crate of an external kind, with an optional `@version`.
    pub module: Option<String>,
    /// Unknown fields, including those under `api`.
    pub unknown: Map<String, Value>,
}

/// API settings of a type defined by the project.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Api {
    /// Version of the `CustomResourceDefinition` format: "v1".
    pub crd_version: String,
    /// Whether the kind is namespaced.
    pub namespaced: bool,
}

/// A named controller.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Controller {
    /// Controller name.
    pub name: ControllerName,
    /// Owned kinds; empty in projects of older versions.
    pub owns: Vec<Gvk>,
    /// Whether it has a finalizer.
    pub finalizer: bool,
    /// Unknown fields.
    pub unknown: Map<String, Value>,
}

impl Project {
    /// Creates the configuration of a project without resources.
    pub fn new(name: ProjectName) -> Self {
        Self {
            cli_version: None,
            domain: None,
            layout: vec![LAYOUT.to_owned()],
            multigroup: false,
            namespaced: false,
            name,
            repo: None,
            kb_source: None,
            resources: Vec::new(),
            unknown: Fields::new(),
        }
    }
}

impl Resource {
    /// Creates a resource without a type or controller.
    pub fn new(version: Version, kind: Kind) -> Self {
        Self {
            group: None,
            domain: None,
            version,
            kind,
            plural: None,
            path: None,
            api: None,
            image: None,
            controller: false,
            owns: Vec::new(),
            finalizer: false,
            controllers: Vec::new(),
            core: false,
            external: false,
            module: None,
            unknown: Fields::new(),
        }
    }

    /// Returns the recorded plural, or the regular one of the kind.
    pub fn plural(&self) -> Plural {
        self.plural.clone().unwrap_or_else(|| self.kind.plural())
    }

    /// Returns the full API group.
    pub(crate) fn api_group(&self) -> Result<ApiGroup, NameError> {
        ApiGroup::new(self.group.as_ref(), self.domain.as_ref())
    }

    /// Returns whether `gvk` names this resource, with either the short or the full group.
    pub(crate) fn matches_gvk(&self, gvk: &Gvk) -> bool {
        let group = gvk.group.as_ref().map_or("", Group::as_str);
        let is_full_group = || self.api_group().is_ok_and(|full| full.as_str() == group);
        self.version == gvk.version
            && self.kind == gvk.kind
            && (self.group == gvk.group || is_full_group())
    }

    /// Returns whether both are versions of the same kind.
    pub(crate) fn is_version_of(&self, other: &Self) -> bool {
        self.kind == other.kind && self.group == other.group && self.domain == other.domain
    }

    /// Returns whether the kind has a controller, named or not.
    pub fn has_controller(&self) -> bool {
        self.controller || !self.controllers.is_empty()
    }

    /// Returns whether both are the same version of the same kind.
    pub fn is_same_kind(&self, other: &Self) -> bool {
        self.is_version_of(other) && self.version == other.version
    }
}

impl Controller {
    /// Creates a controller that owns nothing and has no finalizer.
    pub fn new(name: ControllerName) -> Self {
        Self {
            name,
            owns: Vec::new(),
            finalizer: false,
            unknown: Fields::new(),
        }
    }
}
