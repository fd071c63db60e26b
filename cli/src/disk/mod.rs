//! The only part that reads and writes the user's files.
//!
//! `snapshot` reads just the files a plan names; `apply` carries a resolved plan out as a whole; `recover` finishes or undoes
//! what a run that was killed left behind.
#![allow(
    clippy::disallowed_methods,
    reason = "this is the place that the bans in clippy.toml point to"
)]

mod apply;
mod error;
mod journal;
mod owner;
mod read;
mod recover;
mod stamps;

pub use apply::{Step, apply};
pub use error::DiskError;
pub use journal::JOURNAL;
pub use owner::check_owner;
pub use read::{files_in, project_root, read_optional, read_text, snapshot};
pub use recover::{Recovery, is_pending, recover};
pub use stamps::Stamps;
