//! Where things are in a project: the one place that knows single-group from multi-group layout.

use kb_model::{ApiGroup, Group, Kind, Version};

use crate::{
    plan::RelPath,
    project::{Project, Resource},
};

/// The layout of a project for one kind.
#[derive(Debug, Clone)]
pub(crate) struct Layout<'a> {
    /// The group's short name, if the project keeps groups apart.
    group: Option<&'a Group>,
    version: &'a Version,
    kind: &'a Kind,
}

impl<'a> Layout<'a> {
    /// The layout for a kind; `grouped` keeps each group in a folder of its own.
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

    /// The layout for a kind that PROJECT knows.
    pub(crate) fn of(resource: &'a Resource, project: &Project) -> Self {
        let layout = |grouped| {
            Self::new(
                grouped,
                resource.group.as_ref(),
                &resource.version,
                &resource.kind,
            )
        };
        // A kind stays where it was made, also if groups were kept apart only later.
        let flat = layout(false);
        let is_flat = resource.path.as_deref() == Some(&*flat.type_module(project));
        if is_flat {
            flat
        } else {
            layout(project.multigroup)
        }
    }

    /// Whether the kind's group has a folder of its own.
    pub(crate) fn is_grouped(&self) -> bool {
        self.group.is_some()
    }

    /// The Rust module that has the type, if the type is the project's own: `my_operator_api::v1alpha1`.
    pub(crate) fn type_module(&self, project: &Project) -> String {
        format!("{}::{}", project.name.api_lib(), self.version_path())
    }

    /// The modules of the API crate that lead to the version: `["v1alpha1"]` or `["batch", "v1alpha1"]`.
    pub(crate) fn api_modules(&self) -> Vec<String> {
        let mut modules: Vec<String> = self.group.map(Group::module).into_iter().collect();
        let version = self.version.module();
        modules.push(beside(modules.last(), version));
        modules
    }

    /// `app_service`: the module of the kind in the API crate.
    pub(crate) fn kind_module(&self) -> String {
        beside(self.api_modules().last(), self.kind.module())
    }

    /// `v1alpha1` or `batch::v1alpha1`: the module of the version below the API crate's root.
    pub(crate) fn version_path(&self) -> String {
        self.api_modules().join("::")
    }

    /// `api/src/batch/mod.rs`, if groups are kept apart, and `api/src/batch/v1alpha1/mod.rs`.
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

    /// `api/src/v1alpha1/app_service.rs`
    pub(crate) fn api_file(&self) -> RelPath {
        RelPath::new(format!(
            "api/src/{}/{}.rs",
            self.api_modules().join("/"),
            self.kind_module()
        ))
    }

    /// The module of the group's controllers, if groups are kept apart.
    pub(crate) fn controller_group(&self) -> Option<String> {
        self.group
            .map(|group| beside(Some(&"controller".to_owned()), group.module()))
    }

    /// `app_service`: the module of a controller; `name` is what the user, or else the kind, calls it.
    pub(crate) fn controller_module(&self, name: String) -> String {
        let parent = self
            .controller_group()
            .unwrap_or_else(|| "controller".to_owned());
        beside(Some(&parent), name)
    }

    /// `src/controller/batch/mod.rs`, if groups are kept apart.
    pub(crate) fn controller_group_file(&self) -> Option<RelPath> {
        self.controller_group()
            .map(|group| RelPath::new(format!("src/controller/{group}/mod.rs")))
    }

    /// `src/controller/app_service.rs`
    pub(crate) fn controller_file(&self, module: &str) -> RelPath {
        RelPath::new(format!("src/controller/{}.rs", self.in_group("/", module)))
    }

    /// `app_service` or `batch::app_service`: a controller's module below `controller`.
    pub(crate) fn controller_path(&self, module: &str) -> String {
        self.in_group("::", module)
    }

    /// `tests/app_service.rs`
    pub(crate) fn test_file(&self, module: &str) -> RelPath {
        match self.controller_group() {
            Some(group) => {
                RelPath::new(format!("tests/{}_{module}.rs", group.trim_end_matches('_')))
            }
            None => RelPath::new(format!("tests/{module}.rs")),
        }
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

/// `batch_v1alpha1_appservice.yaml`: the sample of a kind in config/samples, the same in both layouts.
pub(crate) fn sample_name(
    group: Option<&Group>,
    api_group: &ApiGroup,
    version: &Version,
    kind: &Kind,
) -> String {
    let group = group.map_or(api_group.as_str(), Group::as_str);
    format!("{group}_{version}_{}.yaml", kind.lower())
}

/// Where samples are.
pub(crate) fn sample_file(name: &str) -> RelPath {
    RelPath::new(format!("config/samples/{name}"))
}

/// A module's name inside `parent`: never the parent's own, which clippy takes for a mistake.
fn beside(parent: Option<&String>, module: String) -> String {
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
    fn groups_have_folders_of_their_own() {
        check(
            "batch",
            "v1",
            "AppService",
            "api/src/batch/v1/app_service.rs",
            "src/controller/batch/app_service.rs",
        );
    }

    #[test]
    fn no_module_has_the_name_of_the_one_around_it() {
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
