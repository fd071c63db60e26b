//! The files of a plan at the time of planning.

use std::collections::{BTreeMap, btree_map};

use super::RelPath;

/// What is at a path.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FileState {
    /// Nothing.
    Missing,
    /// A text file.
    File(String),
    /// A read-only text file.
    ReadOnly(String),
    /// A file that is not UTF-8 text.
    Binary,
    /// A directory.
    Directory,
    /// A symbolic link.
    Symlink,
    /// A device, socket or pipe.
    Special,
    /// A parent is not a directory.
    Blocked {
        /// That parent.
        by: RelPath,
    },
    /// An unreadable file, with the reason.
    Unreadable(String),
}

impl FileState {
    /// Returns the text of a file.
    pub fn text(&self) -> Option<&str> {
        match self {
            Self::File(text) | Self::ReadOnly(text) => Some(text),
            _ => None,
        }
    }
}

/// File states by path.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Snapshot {
    states: BTreeMap<RelPath, FileState>,
}

impl Snapshot {
    /// Returns the state of a path, which is missing if the snapshot does not include it.
    pub fn get(&self, path: &RelPath) -> &FileState {
        self.states.get(path).unwrap_or(&FileState::Missing)
    }
}

impl Extend<(RelPath, FileState)> for Snapshot {
    fn extend<T: IntoIterator<Item = (RelPath, FileState)>>(&mut self, states: T) {
        self.states.extend(states);
    }
}

impl IntoIterator for Snapshot {
    type Item = (RelPath, FileState);
    type IntoIter = btree_map::IntoIter<RelPath, FileState>;

    fn into_iter(self) -> Self::IntoIter {
        self.states.into_iter()
    }
}

impl FromIterator<(RelPath, FileState)> for Snapshot {
    fn from_iter<T: IntoIterator<Item = (RelPath, FileState)>>(states: T) -> Self {
        Self {
            states: states.into_iter().collect(),
        }
    }
}
