//! Runs cargo and the crdgen program that it builds.
//!
//! Cargo prints its progress and diagnostics directly to standard error. The output of crdgen is untrusted: it is parsed
//! strictly, and quoted in errors.
#![allow(
    clippy::disallowed_methods,
    reason = "the module that the ban of processes in clippy.toml points to"
)]

mod artifact;
mod crdgen;
mod quote;

pub(crate) use crdgen::{Cargo, Printed};
