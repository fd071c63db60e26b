//! Where things are in a project: the one place that knows single-group from multi-group layout.

use kb_model::{Group, Kind, Version};

use crate::plan::RelPath;

/// The layout of a project for one kind.
#[derive(Debug, Clone)]
pub(crate) struct Layout<'a> {
    /// The group's short name, if the project keeps groups apart.
    group: Option<&'a Group>,
    version: &'a Version,
    kind: &'a Kind,
}

impl<'a> Layout<'a> {
    /// The layout for a kind; `multigroup` keeps each group in a folder of its own.
    pub(crate) fn new(
        multigroup: bool,
        group: Option<&'a Group>,
        version: &'a Version,
        kind: &'a Kind,
    ) -> Self {
        Self {
            group: group.filter(|_| multigroup),
            version,
            kind,
        }
    }

    /// The module of the group, if groups are kept apart.
    pub(crate) fn group_module(&self) -> Option<String> {
        self.group.map(Group::module)
    }

    /// `v1alpha1` or `batch::v1alpha1`: the module of the version below the API crate's root.
    pub(crate) fn version_path(&self) -> String {
        self.joined("::", &self.version.module())
    }

    /// `api/src/batch/mod.rs`, if groups are kept apart.
    pub(crate) fn api_group_file(&self) -> Option<RelPath> {
        self.group_module()
            .map(|group| RelPath::new(format!("api/src/{group}/mod.rs")))
    }

    /// `api/src/v1alpha1/mod.rs`
    pub(crate) fn api_version_file(&self) -> RelPath {
        RelPath::new(format!(
            "api/src/{}/mod.rs",
            self.joined("/", &self.version.module())
        ))
    }

    /// `api/src/v1alpha1/app_service.rs`
    pub(crate) fn api_file(&self) -> RelPath {
        let version = self.joined("/", &self.version.module());
        RelPath::new(format!("api/src/{version}/{}.rs", self.kind.module()))
    }

    /// `src/controller/batch/mod.rs`, if groups are kept apart.
    pub(crate) fn controller_group_file(&self) -> Option<RelPath> {
        self.group_module()
            .map(|group| RelPath::new(format!("src/controller/{group}/mod.rs")))
    }

    /// `src/controller/app_service.rs`
    pub(crate) fn controller_file(&self, module: &str) -> RelPath {
        RelPath::new(format!("src/controller/{}.rs", self.joined("/", module)))
    }

    /// `app_service` or `batch::app_service`: a controller's module below `controller`.
    pub(crate) fn controller_path(&self, module: &str) -> String {
        self.joined("::", module)
    }

    /// `tests/app_service.rs`
    pub(crate) fn test_file(&self, module: &str) -> RelPath {
        RelPath::new(format!("tests/{}.rs", self.joined("_", module)))
    }

    /// `appservice` or `batch-appservice`: the prefix of its helper roles.
    pub(crate) fn role_prefix(&self) -> String {
        match self.group {
            Some(group) => format!("{}-{}", group.as_str().replace('.', "-"), self.kind.lower()),
            None => self.kind.lower(),
        }
    }

    /// `appservice_admin_role.yaml` in config/rbac.
    pub(crate) fn role_name(&self, role: &str) -> String {
        format!("{}_{role}_role.yaml", self.joined("_", &self.kind.lower()))
    }

    fn joined(&self, separator: &str, last: &str) -> String {
        match self.group_module() {
            Some(group) => format!("{group}{separator}{last}"),
            None => last.to_owned(),
        }
    }
}
