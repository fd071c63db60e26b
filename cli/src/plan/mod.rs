//! Plans: the changes of one command, as pure data.
//!
//! A command builds one [`Plan`] of files to create, edit and remove. [`resolve()`] checks it against a [`Snapshot`] of
//! those files and returns either every resulting change or every conflict. This module does no I/O.

mod append;
mod change;
mod conflict;
mod insert;
mod manifest;
mod merge;
mod path;
mod resolve;
mod revert;
pub(crate) mod rustfmt_order;
mod snapshot;

pub use change::{Edit, IfExists, Overwrite, Plan};
pub use conflict::Conflict;
pub use insert::{Insertion, Order};
pub use manifest::{CargoEdit, DependencyTable};
pub use merge::three_way_merge;
pub use path::RelPath;
pub(crate) use resolve::existing_text;
pub use resolve::{Action, Change, Resolved, resolve};
pub use snapshot::{FileState, Snapshot};
