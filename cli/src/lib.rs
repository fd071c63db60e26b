//! kb-rs: Kubebuilder for Rust.
//!
//! The CLI as a library, for tests that drive it in-process. `commands` parses arguments, `ops` builds a plan from typed
//! options, `plan` resolves it against the files, `disk` applies it, and `show` prints.

mod cargo;
mod commands;
pub mod disk;
mod ops;
pub mod plan;
mod problem;
pub mod project;
mod show;
mod source;
mod yaml;

pub use commands::{definition, run, run_observed};
