//! `kb-rs create api`: a kind, a controller, or both.
//!
//! [`Request`] is what the user asked for; [`Target`](target::Target) is what that means in this project; the other modules each plan one
//! part of it.

mod controller;
mod controllers;
mod copied;
mod crate_source;
mod imports;
mod owned;
mod plural_names;
mod rbac;
mod record;
mod recorded;
mod request;
mod resource;
mod rules;
mod target;

pub(crate) use crate::project::RustPath;
pub(crate) use controllers::controller_files;
pub(crate) use crate_source::CrateSource;
pub(crate) use recorded::{Texts, owned_in, plan_recorded};
pub(crate) use request::{External, Request, default_controller};
pub(crate) use resource::CRATE_FILES;

use kb_templates::context;

use crate::{
    plan::Plan,
    problem::{Problem, Problems},
    project::Project,
};

/// What the request leads to.
#[derive(Debug)]
pub(crate) struct Outcome {
    /// The project's record afterwards.
    pub(crate) project: Project,
    /// Remarks on decisions that the user did not make.
    pub(crate) notes: Vec<String>,
    /// Files to edit next.
    pub(crate) edit: Vec<String>,
}

/// What is wrong with the call itself, whatever the project.
pub(crate) fn check_call(request: &Request) -> Vec<Problem> {
    let mut problems = Problems::default();
    rules::check_call(request, &mut problems);
    problems.into_vec()
}

/// Adds everything the request needs, except PROJECT, to the plan.
///
/// With the problems comes what of the plan could be made all the same, so that the tree can be held against it, too.
pub(crate) fn plan(
    request: &Request,
    project: &Project,
    context: &context::Project,
    manifest: Option<&str>,
    texts: Texts<'_>,
    plan: &mut Plan,
) -> Result<Outcome, Vec<Problem>> {
    let mut problems = Problems::default();
    let target = target::resolve(request, project, &mut problems);
    let owned = owned::resolve(request, project, target.as_ref(), &mut problems);
    if let Some(target) = &target {
        rules::check(request, project, target, &mut problems);
        target::check_dependency(request, target, manifest, &mut problems);
    }
    let problems = problems.into_vec();
    let Some(target) = target else {
        return Err(problems);
    };

    let mut edit = Vec::new();
    let mut notes = target.notes.clone();
    if request.resource {
        let types = resource::plan(&target, project, project, context, texts, plan);
        notes.extend(types.note(&target));
        edit.push(target.layout().api_file().to_string());
    }
    if request.controller {
        let file = controller::plan(request, &target, &owned, project, context, plan);
        edit.push(file.to_string());
    }
    if problems.is_empty() {
        Ok(Outcome {
            project: record::updated(request, &target, project),
            notes,
            edit,
        })
    } else {
        Err(problems)
    }
}
