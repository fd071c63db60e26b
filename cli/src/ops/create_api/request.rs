//! What the user asked for, in typed form.

use kb_model::{ControllerName, Domain, Group, Gvk, Kind, Plural, Version};

use super::{CrateSource, RustPath};
use crate::project::Project;

/// A `create api`.
#[derive(Debug, Clone)]
pub(crate) struct Request {
    pub(crate) group: Option<Group>,
    pub(crate) version: Version,
    pub(crate) kind: Kind,
    pub(crate) plural: Option<Plural>,
    /// Make the type.
    pub(crate) resource: bool,
    /// Make a controller.
    pub(crate) controller: bool,
    pub(crate) controller_name: Option<ControllerName>,
    /// Whether objects live in namespaces, if the user said so.
    pub(crate) namespaced: Option<bool>,
    pub(crate) owns: Vec<Gvk>,
    pub(crate) external: External,
    pub(crate) force: bool,
}

/// Where a type of another crate comes from.
#[derive(Debug, Clone, Default)]
pub(crate) struct External {
    /// The module that has the type.
    pub(crate) path: Option<RustPath>,
    /// What follows the group in the API group's name.
    pub(crate) domain: Option<Domain>,
    /// The crate to depend on.
    pub(crate) module: Option<CrateSource>,
}

impl External {
    /// Whether any part of it was given.
    pub(crate) fn is_given(&self) -> bool {
        self.path.is_some() || self.domain.is_some() || self.module.is_some()
    }
}

impl Request {
    /// A kind with a controller, and everything else as usual: what `init --api` asks for.
    pub(crate) fn usual(gvk: Gvk) -> Self {
        Self {
            group: gvk.group,
            version: gvk.version,
            kind: gvk.kind,
            plural: None,
            resource: true,
            controller: true,
            controller_name: None,
            namespaced: None,
            owns: Vec::new(),
            external: External::default(),
            force: false,
        }
    }
}

/// Whether a controller is wanted if the user does not say: yes, unless another version of the kind has one.
pub(crate) fn default_controller(
    project: &Project,
    group: Option<&Group>,
    version: &Version,
    kind: &Kind,
) -> bool {
    !project.resources.iter().any(|resource| {
        resource.group.as_ref() == group
            && resource.kind == *kind
            && resource.version != *version
            && resource.has_controller()
    })
}
