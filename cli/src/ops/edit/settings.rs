//! The settings that determine a project's files.

use kb_templates::{Templates, context};

use super::Request;
use crate::{
    ops::{BOILERPLATE, Header, KbSource, License, ReadFile, create_api, init, project_context},
    plan::{IfExists, Plan, RelPath},
    project::Project,
};

/// The settings of a project.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Settings {
    pub(super) project: Project,
    header: Header,
    license: Option<String>,
    repo: Option<String>,
}

impl Settings {
    /// Returns the current settings of a project.
    pub(super) fn of(project: &Project, header: &Header, manifest: Option<&str>) -> Self {
        let context = project_context(project, header, manifest);
        Self {
            project: project.clone(),
            header: header.clone(),
            license: context.license,
            repo: context.repo,
        }
    }

    /// Returns the settings after the request.
    pub(super) fn with(&self, request: &Request) -> Self {
        let mut after = self.clone();
        if let Some(multigroup) = request.multigroup {
            after.project.multigroup = multigroup;
        }
        if let Some(namespaced) = request.namespaced {
            after.project.namespaced = namespaced;
        }
        if let Some(license) = request.license {
            after.license = license.spdx().map(ToOwned::to_owned);
        }
        if request.license.is_some() || request.owner.is_some() {
            let owner = request.owner.as_deref().or(self.header.owner());
            after.header = Header::of(after.known_license(), owner);
        }
        if let Some(header) = &request.header {
            after.header = header.clone();
        }
        after
    }

    fn known_license(&self) -> License {
        License::of_spdx(self.license.as_deref())
    }

    /// Returns the template context of the project.
    fn context(&self) -> context::Project {
        let context = project_context(&self.project, &self.header, None);
        context::Project {
            repo: self.repo.clone(),
            license: self.license.clone(),
            owner: self.header.owner().map_or(context.owner, ToOwned::to_owned),
            ..context
        }
    }

    fn init_context(&self) -> context::Init {
        let source = KbSource::recorded(self.project.kb_source.as_deref());
        init::init_context(self.context(), &source)
    }

    /// Plans every scaffolded file, except PROJECT and LICENSE.
    pub(super) fn files(&self, read: ReadFile<'_>) -> Plan {
        let mut plan = Plan::default();
        init::plan_files(&self.init_context(), &mut plan);
        let project = &self.project;
        create_api::replay(project, project, &self.context(), read, &mut plan);
        if let Some(header) = self.header.file() {
            plan.create(
                RelPath::new(BOILERPLATE),
                header.to_owned(),
                IfExists::Conflict,
            );
        }
        plan
    }

    /// Returns the license text, for a license that kb-rs knows.
    pub(super) fn license_text(&self) -> Option<String> {
        let template = self.known_license().template()?;
        Some(Templates::default().render(template, &self.init_context()))
    }
}
