//! `kb-rs generate`

mod args;
mod host;
mod run;
mod watch;

pub(super) use args::GenerateArgs;
pub(super) use run::run;
