//! `kb-rs init`: a project without an API.

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

/// What `kb-rs init` was asked for.
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

/// Files that many projects have before kb-rs comes: the user's stay.
pub(super) const USUAL: [&str; 7] = [
    ".dockerignore",
    ".github/dependabot.yml",
    ".github/workflows/ci.yml",
    ".gitignore",
    "README.md",
    "SECURITY.md",
    "deny.toml",
];

/// What only a manager that watches single namespaces needs.
const OF_NAMESPACED: &str = "config/watched-namespaces/";

impl Init {
    /// The record of the new project.
    pub(crate) fn project(&self) -> Project {
        Project {
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

    /// What templates see of it.
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

/// What the templates of `init` see.
pub(super) fn init_context(project: context::Project, kb_source: &KbSource) -> context::Init {
    context::Init {
        project,
        kb: kb_source.dependency(),
        kb_rs: kb_source.command(),
        kb_git: kb_source.git(),
    }
}

/// Adds the files that every project has to the plan.
pub(super) fn plan_files(context: &context::Init, plan: &mut Plan) {
    let mut templates = Templates::default();
    for id in Templates::ids() {
        if let Some(path) = id.strip_prefix("init/") {
            if path.starts_with(OF_NAMESPACED) && !context.project.namespaced {
                continue;
            }
            let if_exists = if USUAL.contains(&path) {
                IfExists::Keep
            } else {
                IfExists::Conflict
            };
            plan.create(RelPath::new(path), templates.render(id, context), if_exists);
        }
    }
    // As `kb-rs generate` writes it, until there is code that asks for something.
    let (roles, _) = roles_of(&[], &RoleName::default(), context.project.namespaced);
    plan.create(
        role_file(&OutputDir::of_roles()),
        role_text(&roles, &Comments::default()),
        IfExists::Conflict,
    );
}
