//! `kb-rs edit`: changes settings of an existing project.
//!
//! All scaffolded files are rendered twice, with the old and the new settings, and the differences are merged into the user's files.
//! Edits of the user survive, and turning a setting on and off again restores the original files.

mod components;
mod settings;
mod transition;
mod validation;

pub(crate) use components::Component;

use self::settings::Settings;
use super::{Header, License, Proposal, ReadFile, Update};
use crate::{plan::Plan, problem::Problem, project::Project};

/// The typed flags of `kb-rs edit`.
#[derive(Debug, Clone)]
pub(crate) struct Request {
    pub(crate) multigroup: Option<bool>,
    pub(crate) namespaced: Option<bool>,
    pub(crate) license: Option<License>,
    pub(crate) owner: Option<String>,
    /// The content of `--license-file`.
    pub(crate) header: Option<Header>,
    pub(crate) enable: Vec<Component>,
    pub(crate) disable: Vec<Component>,
}

/// Plans a request. `header` and `manifest` are the current license header and Cargo.toml.
pub(crate) fn plan(
    request: &Request,
    project: &Project,
    header: &Header,
    manifest: Option<&str>,
    read: ReadFile<'_>,
) -> Result<Update, Vec<Problem>> {
    let before = Settings::of(project, header, manifest);
    let after = before.with(request);
    let mut plan = Plan::default();
    let mut problems = validation::check(request, project);
    problems.extend(components::plan(request, &before, read, &mut plan));
    if !problems.is_empty() {
        return Err(problems);
    }
    let notes = transition::plan(&before, &after, read, &mut plan);
    let mut next = Vec::new();
    if after.project.namespaced != project.namespaced {
        next.push("cargo test".to_owned());
    }
    Ok(Update {
        project: after.project,
        proposal: Proposal {
            plan,
            notes,
            next,
            ..Proposal::default()
        },
    })
}
