//! `kb-rs create api`: scaffolds an API type, a controller, or both.
//!
//! A [`Request`] holds the typed flags; [`TargetKind`](target::TargetKind) is the kind they refer to in this project. The other modules
//! each plan one part of the scaffold.

mod api;
mod controller;
mod controller_names;
mod crate_source;
mod image;
mod imports;
mod owned;
mod plural_names;
mod rbac;
mod record;
mod replay;
mod request;
mod reserved_names;
mod target;
mod type_source;
mod validation;

pub(crate) use crate::project::RustPath;
pub(crate) use api::CRATE_FILES;
pub(crate) use controller_names::controllers;
pub(crate) use crate_source::CrateSource;
pub(crate) use image::ImageFlags;
pub(crate) use replay::{owned_in_source, replay};
pub(crate) use request::{External, Request, default_controller};

use kb_templates::context;

use super::{Proposal, ReadFile, Update};
use crate::{
    plan::Plan,
    problem::{Failure, Problem, Problems},
    project::Project,
};

/// A planned request.
///
/// With problems, the plan is as complete as they allow, so that the caller can report conflicts with existing files as well.
#[derive(Debug)]
pub(crate) struct Planned {
    pub(crate) update: Update,
    /// Scaffolded files that the user edits next.
    pub(crate) edit: Vec<String>,
    pub(crate) problems: Vec<Problem>,
    /// Whether the flags contradict each other, whatever the project.
    pub(crate) usage: bool,
}

impl Planned {
    /// Returns the failure of a request with problems.
    pub(crate) fn failure(&self) -> Option<Failure> {
        let failure = || Failure {
            problems: self.problems.clone(),
            usage: self.usage,
        };
        (!self.problems.is_empty()).then(failure)
    }
}

/// Returns the next steps after a request that scaffolded the files `edit`.
pub(crate) fn next_steps(edit: &[String]) -> Vec<String> {
    vec![
        "cargo test".to_owned(),
        format!("edit {}", edit.join(" and ")),
        "make generate".to_owned(),
    ]
}

/// Plans a request on top of `plan`.
pub(crate) fn plan(
    request: &Request,
    project: &Project,
    context: &context::Project,
    manifest: Option<&str>,
    read: ReadFile<'_>,
    plan: Plan,
) -> Planned {
    let mut problems = Problems::default();
    let usage = validation::check_flags(request);
    let mut planned = Planned {
        update: Update {
            project: project.clone(),
            proposal: Proposal {
                plan,
                ..Proposal::default()
            },
        },
        edit: Vec::new(),
        problems: Vec::new(),
        usage: !usage.is_empty(),
    };
    for problem in usage {
        problems.push(problem);
    }
    let target = target::resolve(request, project, &mut problems);
    let image = image::resolve(request, project, target.as_ref());
    let image = image.as_ref();
    let owns = image.map_or_else(|| request.owns.clone(), image::owns);
    let owned = owned::resolve(&owns, project, target.as_ref(), &mut problems);
    if let Some(target) = target {
        validation::check(request, project, &target, &mut problems);
        target::check_dependency(request, &target, manifest, &mut problems);
        let Update { proposal, .. } = &mut planned.update;
        proposal.notes.clone_from(&target.notes);
        if request.resource {
            let plan = &mut proposal.plan;
            let types = api::plan(&target, image, project, project, context, read, plan);
            proposal.notes.extend(types.note(&target));
            planned.edit.push(target.layout().api_file().to_string());
        }
        if request.controller {
            let plan = &mut proposal.plan;
            let file = controller::plan(request, &target, image, &owned, project, context, plan);
            planned.edit.push(file.to_string());
        }
        record::add(request, &target, image, &owned, &mut planned.update.project);
    }
    planned.problems = problems.into_vec();
    planned
}
