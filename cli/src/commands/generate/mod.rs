//! `kb-rs generate`

mod args;
mod crds;
mod job;
mod roles;
mod source_files;
mod unused;
mod watch;

pub(super) use args::GenerateArgs;
pub(super) use job::{Ending, run};
