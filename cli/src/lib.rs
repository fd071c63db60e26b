//! kb-rs: Kubebuilder for Rust.
//!
//! The command as a library, for the tests that drive it from inside. `commands` reads the command line, `ops` makes a plan from typed
//! options, `plan` holds it against the tree, `disk` applies it, `show` prints.

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
