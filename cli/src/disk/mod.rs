//! All I/O on the user's files.
//!
//! [`snapshot`] reads the files of a plan, [`apply()`] applies a resolved plan atomically, and [`recover()`] completes or
//! rolls back an interrupted run.
#![allow(
    clippy::disallowed_methods,
    reason = "the module that the bans in clippy.toml point to"
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
