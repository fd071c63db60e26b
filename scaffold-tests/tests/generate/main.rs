//! `kb-rs generate` on small projects: files that are written, kept, removed and rejected; and manifests after other commands.
#![allow(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    reason = "tests read, write, start processes and fail"
)]

mod api_project;
#[cfg(unix)]
mod build;
mod crash;
mod files;
mod flags;
mod other_commands;
mod rbac;
mod samples;
mod sources;
mod unused_rules;
mod versions;
mod watch;
