//! The files a plan looks at, as they were when it was made.

use std::collections::{BTreeMap, btree_map};

use super::RelPath;

/// What is at a path.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Entry {
    /// Nothing.
    Missing,
    /// A file with this text.
    File(String),
    /// A file with this text that its owner has made read-only.
    Protected(String),
    /// A file that is not UTF-8 text.
    Binary,
    /// A folder.
    Folder,
    /// A symbolic link.
    Symlink,
    /// A device, a socket, a pipe.
    Special,
    /// A folder above it is a file or a link.
    Blocked {
        /// What is there instead.
        by: RelPath,
    },
    /// It cannot be read, and why.
    Unreadable(String),
}

impl Entry {
    /// The text of a file.
    pub fn text(&self) -> Option<&str> {
        match self {
            Self::File(text) | Self::Protected(text) => Some(text),
            _ => None,
        }
    }
}

/// Entries by path.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Snapshot {
    entries: BTreeMap<RelPath, Entry>,
}

impl Snapshot {
    /// What is at `path`; nothing, if the snapshot does not hold it.
    pub fn entry(&self, path: &RelPath) -> &Entry {
        self.entries.get(path).unwrap_or(&Entry::Missing)
    }
}

impl Extend<(RelPath, Entry)> for Snapshot {
    fn extend<T: IntoIterator<Item = (RelPath, Entry)>>(&mut self, entries: T) {
        self.entries.extend(entries);
    }
}

impl IntoIterator for Snapshot {
    type Item = (RelPath, Entry);
    type IntoIter = btree_map::IntoIter<RelPath, Entry>;

    fn into_iter(self) -> Self::IntoIter {
        self.entries.into_iter()
    }
}

impl FromIterator<(RelPath, Entry)> for Snapshot {
    fn from_iter<T: IntoIterator<Item = (RelPath, Entry)>>(entries: T) -> Self {
        Self {
            entries: entries.into_iter().collect(),
        }
    }
}
