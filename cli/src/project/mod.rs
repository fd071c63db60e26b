//! The PROJECT file: Kubebuilder's record of what was scaffolded.
//!
//! [`Project`] is the typed record, [`ProjectFile`] a text with the record that was read from it. A rewrite changes
//! the lines that must change and no other: comments, unknown fields, order, quoting and line ends stay the user's.
//! Nothing here touches the disk.

mod document;
mod edit;
mod error;
mod field;
mod file;
mod layout;
mod patch;
mod read;
mod record;
mod unknown;

pub use error::{Problem, ProjectError};
pub use file::ProjectFile;
pub use record::{Api, LAYOUT, Project, Resource};
