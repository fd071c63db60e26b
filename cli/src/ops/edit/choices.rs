//! The choices that a project's files follow from.

use kb_templates::{Templates, context};

use super::Request;
use crate::{
    ops::{
        BOILERPLATE, Header, KbSource, License,
        create_api::{Texts, plan_recorded},
        init, project_context,
    },
    plan::{IfExists, Plan, RelPath},
    project::Project,
};

/// What was chosen, as far as files tell.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Choices {
    pub(super) project: Project,
    header: Header,
    license: Option<String>,
    repo: Option<String>,
}

impl Choices {
    /// Those of a project as it is.
    pub(super) fn of(project: &Project, header: &Header, manifest: Option<&str>) -> Self {
        let context = project_context(project, header, manifest);
        Self {
            project: project.clone(),
            header: header.clone(),
            license: context.license,
            repo: context.repo,
        }
    }

    /// The same with what the request changes.
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

    /// What templates see of the project.
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

    /// Every file that these choices lead to, except PROJECT and the licence's text.
    pub(super) fn files(&self, texts: Texts<'_>) -> Plan {
        let mut plan = Plan::default();
        init::plan_files(&self.init_context(), &mut plan);
        let project = &self.project;
        plan_recorded(project, project, &self.context(), texts, &mut plan);
        if let Some(header) = self.header.file() {
            plan.create(
                RelPath::new(BOILERPLATE),
                header.to_owned(),
                IfExists::Conflict,
            );
        }
        plan
    }

    /// The text of the licence, if it is one that kb-rs knows.
    pub(super) fn license_text(&self) -> Option<String> {
        let template = self.known_license().template()?;
        Some(Templates::default().render(template, &self.init_context()))
    }
}
