//! `kb-rs edit`: changes what was chosen when the project was made.
//!
//! What files say depends on these choices. The files are made twice, with the old choices and with the new ones, and the difference is
//! brought into the user's tree: what the user changed elsewhere stays, and turning something on and off again leaves no trace.

mod choices;
mod components;
mod rules;
mod transition;

pub(crate) use components::Component;

use self::choices::Choices;
use super::{Header, License, create_api::Texts};
use crate::{plan::Plan, problem::Problem, project::Project};

/// What the user asked for.
#[derive(Debug, Clone)]
pub(crate) struct Request {
    pub(crate) multigroup: Option<bool>,
    pub(crate) namespaced: Option<bool>,
    pub(crate) license: Option<License>,
    pub(crate) owner: Option<String>,
    /// What `--license-file` holds.
    pub(crate) header: Option<Header>,
    pub(crate) enable: Vec<Component>,
    pub(crate) disable: Vec<Component>,
}

/// What the request leads to.
#[derive(Debug)]
pub(crate) struct Outcome {
    /// The project's record afterwards.
    pub(crate) project: Project,
    /// The changes, except to PROJECT.
    pub(crate) plan: Plan,
    /// Remarks on what stays as it is.
    pub(crate) notes: Vec<String>,
    /// What to do next.
    pub(crate) next: Vec<String>,
}

/// Plans the request. `header` and `manifest` are those of the project now.
pub(crate) fn plan(
    request: &Request,
    project: &Project,
    header: &Header,
    manifest: Option<&str>,
    texts: Texts<'_>,
) -> Result<Outcome, Vec<Problem>> {
    let before = Choices::of(project, header, manifest);
    let after = before.with(request);
    let mut plan = Plan::default();
    let mut problems = rules::check(request, project);
    problems.extend(components::plan(request, &before, texts, &mut plan));
    if !problems.is_empty() {
        return Err(problems);
    }
    let notes = transition::plan(&before, &after, texts, &mut plan);
    let mut next = Vec::new();
    if after.project.namespaced != project.namespaced {
        next.push("make generate".to_owned());
        next.push("cargo test".to_owned());
    }
    Ok(Outcome {
        project: after.project,
        plan,
        notes,
        next,
    })
}
