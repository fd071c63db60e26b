//! What the scaffold tests share: scenarios, example operators, trees of files, and ways to start kb-rs and cargo.
//!
//! A scenario is a file with one kb-rs command a line; its golden is the tree those commands make, committed, compared exactly and
//! rewritten by `make goldens`. Tests drive the real command as a process of its own.
#![allow(
    clippy::disallowed_methods,
    clippy::print_stderr,
    reason = "tests read, write and start processes; the bans are for the command"
)]

mod cargo;
mod command;
mod operator;
mod scenario;
mod tree;

pub use cargo::Cargo;
pub use command::{KbRs, Run};
pub use kb_envtest::{report_skipped, skip};
pub use operator::Operator;
pub use scenario::Scenario;
pub use tree::Tree;
