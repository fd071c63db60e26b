//! What a command wants to change, as a value.
//!
//! A command makes exactly one [`Plan`]: files to make and edits to make in files that exist. It is pure data; `resolve` holds
//! it against a [`Snapshot`] of just those files and gives either every resulting change or every conflict. Nothing here
//! reads or writes the disk.

mod change;
mod conflict;
mod insert;
mod inverse;
mod manifest;
mod merge;
mod path;
mod resolve;
pub(crate) mod rustfmt_order;
mod snapshot;

pub use change::{Edit, IfExists, Overwrite, Plan};
pub use conflict::Conflict;
pub use insert::{Insertion, Order};
pub use manifest::{CargoEdit, DependencyTable};
pub use merge::merged;
pub use path::RelPath;
pub use resolve::{Action, Change, Resolved, resolve};
pub use snapshot::{Entry, Snapshot};
