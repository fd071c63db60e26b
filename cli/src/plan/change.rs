//! The plan: per path, the file to create or remove and the edits to apply, in order.

use std::collections::{BTreeMap, BTreeSet};

use super::{CargoEdit, Insertion, RelPath};

/// What to do if a file to create exists with other content.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum IfExists {
    /// Report a conflict, or overwrite the file with `--force`.
    Conflict,
    /// Keep the file even with `--force`: it belongs to the user or holds more than this command wrote.
    Keep,
    /// Replace the file: it belongs to kb-rs.
    Replace,
}

/// Whether conflicting files may be overwritten.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Overwrite {
    /// No, and the command has no `--force`.
    Never,
    /// No, but the command has `--force`.
    OnRequest,
    /// Yes, `--force` was passed.
    Yes,
}

impl Overwrite {
    /// Returns the mode of a command that has `--force`.
    pub fn if_forced(force: bool) -> Self {
        if force { Self::Yes } else { Self::OnRequest }
    }
}

/// A change inside a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Edit {
    /// Inserts text before a scaffold marker.
    Insert(Insertion),
    /// Removes inserted text, wherever it is now.
    RemoveInsertion(Insertion),
    /// Removes every line equal to this one except for indentation.
    RemoveLine(String),
    /// Edits a Cargo.toml.
    Cargo(CargoEdit),
    /// Merges the difference between two texts into the file.
    Merge {
        /// What kb-rs wrote.
        ancestor: String,
        /// What kb-rs would write now.
        desired: String,
    },
    /// Replaces the whole text, which must still be `expected`.
    Rewrite {
        /// The text that the command read.
        expected: String,
        /// The new text.
        text: String,
    },
}

/// All changes of one command, sorted by path.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Plan {
    pub(super) files: BTreeMap<RelPath, FilePlan>,
}

/// The changes of one file.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct FilePlan {
    pub(super) create: Option<(String, IfExists)>,
    pub(super) edits: Vec<Edit>,
    pub(super) removal: Option<Removal>,
}

/// When to remove a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Removal {
    /// In any case.
    Always,
    /// If it has exactly this text after the edits.
    IfUnmodified(String),
}

impl Plan {
    /// Creates a file.
    ///
    /// # Panics
    ///
    /// If the plan already creates this file: two parts of a command disagree.
    pub fn create(&mut self, path: RelPath, text: String, if_exists: IfExists) {
        assert!(!self.creates(&path), "{path} is created twice");
        self.files.entry(path).or_default().create = Some((text, if_exists));
    }

    /// Creates a file unless it exists or this plan already creates it.
    pub fn ensure(&mut self, path: RelPath, text: impl FnOnce() -> String) {
        let file = self.files.entry(path).or_default();
        if file.create.is_none() {
            file.create = Some((text(), IfExists::Keep));
        }
    }

    /// Returns whether the plan creates this file.
    pub fn creates(&self, path: &RelPath) -> bool {
        self.files
            .get(path)
            .is_some_and(|file| file.create.is_some())
    }

    /// Removes a file, if it exists.
    pub fn remove(&mut self, path: RelPath) {
        self.files.entry(path).or_default().removal = Some(Removal::Always);
    }

    /// Removes a file if it has exactly `text` after the edits. A file that the user modified is kept, except with
    /// `--force`.
    pub fn remove_if_unmodified(&mut self, path: RelPath, text: String) {
        self.files.entry(path).or_default().removal = Some(Removal::IfUnmodified(text));
    }

    /// Keeps the file instead of removing it; its edits still apply.
    pub fn cancel_removal(&mut self, path: &RelPath) {
        if let Some(file) = self.files.get_mut(path) {
            file.removal = None;
        }
    }

    /// Edits a file that exists or that this plan creates.
    pub fn edit(&mut self, path: RelPath, edit: Edit) {
        self.files.entry(path).or_default().edits.push(edit);
    }

    /// Inserts text before a scaffold marker.
    pub fn insert(&mut self, path: RelPath, insertion: Insertion) {
        self.edit(path, Edit::Insert(insertion));
    }

    /// Drops the edits of a file for which `keep` returns false.
    pub fn retain_edits(&mut self, path: &RelPath, keep: impl FnMut(&Edit) -> bool) {
        if let Some(file) = self.files.get_mut(path) {
            file.edits.retain(keep);
        }
    }

    /// Returns the part of the plan about these files.
    #[must_use]
    pub fn restricted_to(&self, paths: &[RelPath]) -> Self {
        let files = self.files.iter().filter(|(path, _)| paths.contains(path));
        Self {
            files: files
                .map(|(path, file)| (path.clone(), file.clone()))
                .collect(),
        }
    }

    /// Returns the common ancestor of the first merge into a file.
    pub fn merge_ancestor(&self, path: &RelPath) -> Option<&String> {
        let edits = &self.files.get(path)?.edits;
        edits.iter().find_map(|edit| match edit {
            Edit::Merge { ancestor, .. } => Some(ancestor),
            _ => None,
        })
    }

    /// Returns whether the plan removes this file if it is unmodified.
    pub fn removes_if_unmodified(&self, path: &RelPath) -> bool {
        self.conditional_removals().any(|(other, _)| other == path)
    }

    /// Returns the files that are removed if unmodified, with their unmodified text.
    pub fn conditional_removals(&self) -> impl Iterator<Item = (&RelPath, &String)> {
        self.files
            .iter()
            .filter_map(|(path, file)| match &file.removal {
                Some(Removal::IfUnmodified(text)) => Some((path, text)),
                _ => None,
            })
    }

    /// Returns the removed insertions with their files.
    pub fn removed_insertions(&self) -> impl Iterator<Item = (&RelPath, &Insertion)> {
        self.files.iter().flat_map(|(path, file)| {
            file.edits.iter().filter_map(move |edit| match edit {
                Edit::RemoveInsertion(insertion) => Some((path, insertion)),
                _ => None,
            })
        })
    }

    /// Returns the paths of the plan, which are the ones that a snapshot must hold.
    pub fn paths(&self) -> BTreeSet<&RelPath> {
        self.files.keys().collect()
    }
}
