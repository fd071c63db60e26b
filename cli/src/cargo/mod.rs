//! The only part that starts processes: cargo, and the crdgen that it builds.
//!
//! Cargo's own progress and messages go straight to the user's standard error. What a process answers is quoted, never trusted.
#![allow(
    clippy::disallowed_methods,
    reason = "this is the place that the ban of processes in clippy.toml points to"
)]

mod artifact;
mod crdgen;
mod quote;

pub(crate) use crdgen::{Cargo, Printed};
