//! The typed flags of `kb-rs create api`.

use kb_model::{ControllerName, Domain, Group, Gvk, Kind, Plural, Version};

use super::{CrateSource, ImageFlags, RustPath};
use crate::project::Project;

/// A call of `kb-rs create api`.
#[derive(Debug, Clone)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "the flags are independent of each other"
)]
pub(crate) struct Request {
    pub(crate) group: Option<Group>,
    pub(crate) version: Version,
    pub(crate) kind: Kind,
    pub(crate) plural: Option<Plural>,
    /// Scaffold the API type.
    pub(crate) resource: bool,
    /// Scaffold a controller.
    pub(crate) controller: bool,
    pub(crate) controller_name: Option<ControllerName>,
    /// `--namespaced`, if given.
    pub(crate) namespaced: Option<bool>,
    pub(crate) owns: Vec<Gvk>,
    /// Add a finalizer to the controller.
    pub(crate) finalizer: bool,
    pub(crate) image: ImageFlags,
    pub(crate) external: External,
    pub(crate) force: bool,
}

/// The source of a type that another crate defines.
#[derive(Debug, Clone, Default)]
pub(crate) struct External {
    /// Rust module of the type.
    pub(crate) path: Option<RustPath>,
    /// Domain of the API group.
    pub(crate) domain: Option<Domain>,
    /// Crate to depend on.
    pub(crate) module: Option<CrateSource>,
}

impl External {
    /// Returns whether any of the flags is given.
    pub(crate) fn is_given(&self) -> bool {
        self.path.is_some() || self.domain.is_some() || self.module.is_some()
    }
}

impl Request {
    /// Returns the request of `init --api`: a type and a controller, with the defaults for everything else.
    pub(crate) fn with_defaults(gvk: Gvk) -> Self {
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
            finalizer: false,
            image: ImageFlags::default(),
            external: External::default(),
            force: false,
        }
    }
}

/// Returns the default of `--controller`: true, unless another version of the kind has a controller.
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
