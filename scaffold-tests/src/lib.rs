//! Support for the scaffold tests: projects and snapshots, scenarios, example operators, trees of files, kb-rs and cargo as processes.
//!
//! A scenario is a file with one kb-rs command per line; its golden is the tree that those commands scaffold, committed, compared exactly and
//! rewritten by `make goldens`. Tests run the real command as a process.
#![allow(
    clippy::disallowed_methods,
    clippy::print_stderr,
    reason = "tests read, write and start processes; the bans are for the command"
)]

mod cargo;
mod command;
mod generator;
mod operator;
mod project;
mod scenario;
mod tree;

pub use cargo::Cargo;
pub use command::{KbRs, Run};
pub use generator::print_or_check;
pub use kb_envtest::{report_skipped, skip};
pub use operator::Operator;
pub use project::{Project, api_crate, assert_snapshot};
pub use scenario::Scenario;
pub use tree::Tree;
