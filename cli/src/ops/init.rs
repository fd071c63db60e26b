//! `kb-rs init`: scaffolds a project without an API.

use kb_model::{Domain, ProjectName, RoleName};
use kb_templates::{Templates, context};

use super::{
    BOILERPLATE, Header, KbSource, LICENSE, License, contexts,
    generate::{Comments, OutputDir, role_file, role_text, roles_of},
};
use crate::{
    plan::{IfExists, Plan, RelPath},
    project::Project,
};

/// The typed flags of `kb-rs init`.
#[derive(Debug, Clone)]
pub(crate) struct Init {
    pub(crate) domain: Domain,
    pub(crate) name: ProjectName,
    pub(crate) repo: Option<String>,
    pub(crate) owner: Option<String>,
    pub(crate) license: License,
    pub(crate) header: Header,
    pub(crate) multigroup: bool,
    pub(crate) namespaced: bool,
    pub(crate) kb_source: KbSource,
}

/// Files that existing repositories commonly have; `init` keeps them.
pub(super) const COMMON_FILES: [&str; 7] = [
    ".dockerignore",
    ".github/dependabot.yml",
    ".github/workflows/ci.yml",
    ".gitignore",
    "README.md",
    "SECURITY.md",
    "deny.toml",
];

/// The CI workflow, which installs kb-rs.
const CI_WORKFLOW: &str = ".github/workflows/ci.yml";

/// Manifests of a manager that watches single namespaces.
const WATCHED_NAMESPACES: &str = "config/watched-namespaces/";

impl Init {
    /// Returns the record of the new project.
    pub(crate) fn project(&self) -> Project {
        Project {
            // For the upgrade of projects that an older version scaffolded; nothing reads it yet.
            cli_version: Some(env!("CARGO_PKG_VERSION").to_owned()),
            domain: Some(self.domain.clone()),
            multigroup: self.multigroup,
            namespaced: self.namespaced,
            repo: self.repo.clone(),
            kb_source: Some(&self.kb_source)
                .filter(|source| **source != KbSource::Registry)
                .map(ToString::to_string),
            ..Project::new(self.name.clone())
        }
    }

    /// Adds every file of a new project to the plan, except PROJECT.
    pub(crate) fn files(&self, plan: &mut Plan) {
        let context = init_context(self.context(), &self.kb_source);
        plan_files(&context, plan);
        if let Some(license) = self.license.template() {
            plan.create(
                RelPath::new(LICENSE),
                Templates::default().render(license, &context),
                IfExists::Keep,
            );
        }
        if let Some(header) = self.header.file() {
            plan.create(
                RelPath::new(BOILERPLATE),
                header.to_owned(),
                IfExists::Conflict,
            );
        }
    }

    /// Returns the template context of the new project.
    pub(crate) fn context(&self) -> context::Project {
        let context = contexts::new_project_context(&self.name, self.namespaced, &self.header);
        context::Project {
            repo: self.repo.clone(),
            license: self.license.spdx().map(ToOwned::to_owned),
            owner: self.owner.clone().unwrap_or(context.owner),
            ..context
        }
    }
}

/// Returns the context of the templates of `init`.
pub(super) fn init_context(project: context::Project, kb_source: &KbSource) -> context::Init {
    context::Init {
        project,
        kb: kb_source.dependency(),
        kb_rs: kb_source.install_args(),
        kb_git: kb_source.git(),
    }
}

/// Adds the files that every project has to the plan.
pub(super) fn plan_files(context: &context::Init, plan: &mut Plan) {
    let mut templates = Templates::default();
    for id in Templates::ids() {
        if let Some(path) = id.strip_prefix("init/") {
            let is_skipped = path.starts_with(WATCHED_NAMESPACES) && !context.project.namespaced
                || path == CI_WORKFLOW && context.kb_rs.is_none();
            if is_skipped {
                continue;
            }
            let if_exists = if COMMON_FILES.contains(&path) {
                IfExists::Keep
            } else {
                IfExists::Conflict
            };
            plan.create(RelPath::new(path), templates.render(id, context), if_exists);
        }
    }
    // As `kb-rs generate` writes it for code without `#[kb::rbac]`.
    let (roles, _) = roles_of(&[], &RoleName::default(), context.project.namespaced);
    plan.create(
        role_file(&OutputDir::of_roles()),
        role_text(&roles, &Comments::default()),
        IfExists::Conflict,
    );
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scaffolds_a_ci_workflow_only_if_ci_can_install_kb_rs() {
        for (source, has_workflow) in [
            ("registry", true),
            ("git:https://example.com/kb-rs", true),
            ("path:../kb-rs", false),
        ] {
            let init = Init {
                domain: "example.com".parse().unwrap(),
                name: "demo".parse().unwrap(),
                repo: None,
                owner: None,
                license: License::None,
                header: Header::default(),
                multigroup: false,
                namespaced: false,
                kb_source: source.parse().unwrap(),
            };
            let mut plan = Plan::default();
            init.files(&mut plan);
            let workflow = RelPath::new(CI_WORKFLOW);
            assert_eq!(plan.creates(&workflow), has_workflow, "{source}");
        }
    }
}
