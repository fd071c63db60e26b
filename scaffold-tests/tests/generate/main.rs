//! `kb-rs generate` on small projects: what is written, what stays, what is refused.
#![allow(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    reason = "tests read, write, start processes and fail"
)]

#[cfg(unix)]
mod build;
mod calls;
mod crash;
mod files;
mod project;
mod rbac;
mod samples;
mod sources;
mod unused;
mod versions;
mod watch;
