//! What the commands do: pure functions from typed options and the project's record to a plan.
//!
//! Nothing here reads, writes, prints or asks.

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

use crate::plan::Plan;

/// What a command wants to do, and what its user might do next.
#[derive(Debug, Default)]
pub(crate) struct Proposal {
    /// The changes.
    pub(crate) plan: Plan,
    /// Remarks on decisions that the user did not make.
    pub(crate) notes: Vec<String>,
    /// The next commands.
    pub(crate) next: Vec<String>,
}
