//! Paths and module names in a project. Only this module knows the difference between single-group and multi-group layout.

use kb_model::{ApiGroup, Group, Kind, Version};

use crate::{
    plan::RelPath,
    project::{Project, Resource},
};

/// The paths and module names of one kind.
#[derive(Debug, Clone)]
pub(crate) struct Layout<'a> {
    /// The group, in the multi-group layout.
    group: Option<&'a Group>,
    version: &'a Version,
    kind: &'a Kind,
}

impl<'a> Layout<'a> {
    /// Creates the layout of a kind; `grouped` selects the multi-group layout.
    pub(crate) fn new(
        grouped: bool,
        group: Option<&'a Group>,
        version: &'a Version,
        kind: &'a Kind,
    ) -> Self {
        Self {
            group: group.filter(|_| grouped),
            version,
            kind,
        }
    }

    /// Returns the layout of a recorded kind.
    pub(crate) fn of(resource: &'a Resource, project: &Project) -> Self {
        let layout = |grouped| {
            Self::new(
                grouped,
                resource.group.as_ref(),
                &resource.version,
                &resource.kind,
            )
        };
        // Kinds scaffolded before `edit --multigroup` keep their paths.
        let flat = layout(false);
        let is_flat = resource.path.as_deref() == Some(&*flat.type_module(project));
        if is_flat {
            flat
        } else {
            layout(project.multigroup)
        }
    }

    /// Returns whether the kind uses the multi-group layout.
    pub(crate) fn is_grouped(&self) -> bool {
        self.group.is_some()
    }

    /// Returns the Rust module of a type that the project defines: `my_operator_api::v1alpha1`.
    pub(crate) fn type_module(&self, project: &Project) -> String {
        format!("{}::{}", project.name.api_lib(), self.version_path())
    }

    /// Returns the module path of the version in the API crate: `["v1alpha1"]` or `["batch", "v1alpha1"]`.
    pub(crate) fn api_modules(&self) -> Vec<String> {
        let mut modules: Vec<String> = self.group.map(Group::module).into_iter().collect();
        let version = self.version.module();
        modules.push(distinct_from(modules.last(), version));
        modules
    }

    /// Returns the module of the kind in the API crate: `app_service`.
    pub(crate) fn kind_module(&self) -> String {
        distinct_from(self.api_modules().last(), self.kind.module())
    }

    /// Returns the path of the version module in the API crate: `v1alpha1` or `batch::v1alpha1`.
    pub(crate) fn version_path(&self) -> String {
        self.api_modules().join("::")
    }

    /// Returns the files of the group module, in the multi-group layout, and of the version module: `api/src/batch/mod.rs` and
    /// `api/src/batch/v1alpha1/mod.rs`.
    pub(crate) fn api_module_files(&self) -> (Option<RelPath>, RelPath) {
        let modules = self.api_modules();
        let group = self
            .group
            .map(|_| RelPath::new(format!("api/src/{}/mod.rs", modules[0])));
        (
            group,
            RelPath::new(format!("api/src/{}/mod.rs", modules.join("/"))),
        )
    }

    /// Returns the file of the type: `api/src/v1alpha1/app_service.rs`.
    pub(crate) fn api_file(&self) -> RelPath {
        RelPath::new(format!(
            "api/src/{}/{}.rs",
            self.api_modules().join("/"),
            self.kind_module()
        ))
    }

    /// Returns the module of the group's controllers, in the multi-group layout.
    pub(crate) fn controller_group(&self) -> Option<String> {
        self.group
            .map(|group| distinct_from(Some(&"controller".to_owned()), group.module()))
    }

    /// Returns the module of the controller `name`: `app_service`.
    pub(crate) fn controller_module(&self, name: String) -> String {
        let parent = self
            .controller_group()
            .unwrap_or_else(|| "controller".to_owned());
        distinct_from(Some(&parent), name)
    }

    /// Returns the file of that module: `src/controller/batch/mod.rs`.
    pub(crate) fn controller_group_file(&self) -> Option<RelPath> {
        self.controller_group()
            .map(|group| RelPath::new(format!("src/controller/{group}/mod.rs")))
    }

    /// Returns the file of a controller: `src/controller/app_service.rs`.
    pub(crate) fn controller_file(&self, module: &str) -> RelPath {
        RelPath::new(format!("src/controller/{}.rs", self.in_group("/", module)))
    }

    /// Returns the path of a controller below `controller`: `app_service` or `batch::app_service`.
    pub(crate) fn controller_path(&self, module: &str) -> String {
        self.in_group("::", module)
    }

    /// Returns the file of a controller's test: `tests/app_service.rs`.
    pub(crate) fn test_file(&self, module: &str) -> RelPath {
        match self.controller_group() {
            Some(group) => {
                RelPath::new(format!("tests/{}_{module}.rs", group.trim_end_matches('_')))
            }
            None => RelPath::new(format!("tests/{module}.rs")),
        }
    }

    /// Returns the name prefix of its admin, editor and viewer roles: `appservice` or `batch-appservice`.
    pub(crate) fn role_prefix(&self) -> String {
        match self.group {
            Some(group) => format!("{}-{}", group.as_str().replace('.', "-"), self.kind.lower()),
            None => self.kind.lower(),
        }
    }

    /// Returns the file of one of these roles in config/rbac: `appservice_admin_role.yaml`.
    pub(crate) fn role_name(&self, role: &str) -> String {
        format!(
            "{}_{role}_role.yaml",
            self.in_group("_", &self.kind.lower())
        )
    }

    fn in_group(&self, separator: &str, last: &str) -> String {
        match self.controller_group() {
            Some(group) => format!("{group}{separator}{last}"),
            None => last.to_owned(),
        }
    }
}

/// Returns the file name of a sample, the same in both layouts: `batch_v1alpha1_appservice.yaml`.
pub(crate) fn sample_name(
    group: Option<&Group>,
    api_group: &ApiGroup,
    version: &Version,
    kind: &Kind,
) -> String {
    let group = group.map_or(api_group.as_str(), Group::as_str);
    format!("{group}_{version}_{}.yaml", kind.lower())
}

/// Returns the path of a sample.
pub(crate) fn sample_file(name: &str) -> RelPath {
    RelPath::new(format!("config/samples/{name}"))
}

/// Returns the name of a module in `parent`, different from the parent's name: clippy warns of `module_inception`.
fn distinct_from(parent: Option<&String>, module: String) -> String {
    if parent == Some(&module) {
        format!("{module}_")
    } else {
        module
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(group: &str, version: &str, kind: &str, api: &str, controller: &str) {
        let group: Group = group.parse().unwrap();
        let (version, kind) = (version.parse().unwrap(), kind.parse().unwrap());
        let layout = Layout::new(true, Some(&group), &version, &kind);
        assert_eq!(layout.api_file().as_str(), api);
        let module = layout.controller_module(kind.module());
        assert_eq!(layout.controller_file(&module).as_str(), controller);
    }

    #[test]
    fn each_group_has_its_own_directory() {
        check(
            "batch",
            "v1",
            "AppService",
            "api/src/batch/v1/app_service.rs",
            "src/controller/batch/app_service.rs",
        );
    }

    #[test]
    fn no_module_has_the_name_of_its_parent() {
        check(
            "v1",
            "v1",
            "V1",
            "api/src/v1/v1_/v1.rs",
            "src/controller/v1/v1_.rs",
        );
        check(
            "controller",
            "v1",
            "Controller",
            "api/src/controller/v1/controller.rs",
            "src/controller/controller_/controller.rs",
        );
    }
}
