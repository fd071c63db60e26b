//! The logic of the commands: functions from typed options and the project record to a [`Proposal`].
//!
//! Nothing here writes, prints, prompts or starts a process. Files are read through what the command passes in: a [`ReadFile`], a
//! snapshot or [`Files`](crate::source::Files).

mod contexts;
pub(crate) mod create_api;
pub(crate) mod delete_api;
pub(crate) mod edit;
pub(crate) mod envtest;
pub(crate) mod generate;
pub(crate) mod init;
mod kb_source;
mod layout;
mod license;
mod sample;
mod shell;

pub(crate) use contexts::project_context;
pub(crate) use kb_source::KbSource;
pub(crate) use license::{BOILERPLATE, Header, LICENSE, License};
pub(crate) use shell::quoted;

use crate::{
    plan::{Plan, RelPath},
    problem::Problem,
    project::Project,
};

/// Returns the text of a file of the project, or `None` if it does not exist or cannot be read.
pub(crate) type ReadFile<'a> = &'a dyn Fn(&RelPath) -> Option<String>;

/// The changes that a command proposes.
#[derive(Debug, Default)]
pub(crate) struct Proposal {
    /// The changes.
    pub(crate) plan: Plan,
    /// Notes on decisions that the user did not make, and on manual steps.
    pub(crate) notes: Vec<String>,
    /// Warnings. They do not stop the command.
    pub(crate) warnings: Vec<Problem>,
    /// The next commands to run.
    pub(crate) next: Vec<String>,
}

/// A proposal that also changes what PROJECT records.
#[derive(Debug)]
pub(crate) struct Update {
    /// The project record after the changes.
    pub(crate) project: Project,
    /// The changes. `ops` does not plan PROJECT; the command adds it.
    pub(crate) proposal: Proposal,
}
