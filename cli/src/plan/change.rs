//! The plan: per path, the file to make and the edits to carry out on it, in order.

use std::collections::{BTreeMap, BTreeSet};

use super::{CargoEdit, Insertion, RelPath};

/// What to do with a file that is there already, with other content.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum IfExists {
    /// It is in the way, unless it may be overwritten.
    Conflict,
    /// It is the user's, or holds more than this command put there: leave it, whatever is asked for.
    Keep,
    /// It is kb-rs's own: write it anew.
    Replace,
}

/// Whether files that are in the way may be overwritten.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Overwrite {
    /// The command never does that.
    Never,
    /// It does with `--force`, which was not given.
    OnRequest,
    /// `--force` was given.
    Yes,
}

impl Overwrite {
    /// For a command that has `--force`.
    pub fn if_forced(force: bool) -> Self {
        if force { Self::Yes } else { Self::OnRequest }
    }
}

/// A change inside a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Edit {
    /// Put text before a scaffold marker.
    Insert(Insertion),
    /// Take out what an insertion put in, wherever it stands now.
    TakeOut(Insertion),
    /// Take out every line that is this one but for its indentation.
    RemoveLine(String),
    /// Change a Cargo.toml.
    Cargo(CargoEdit),
    /// Change what differs between two texts, and leave what the user changed.
    Merge {
        /// What kb-rs wrote.
        ancestor: String,
        /// What it would write now.
        wanted: String,
    },
    /// Replace the whole text, which must still be `expected`.
    Rewrite {
        /// What the command read.
        expected: String,
        /// What it shall become.
        text: String,
    },
}

/// All changes of one command, sorted by path.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Plan {
    pub(super) files: BTreeMap<RelPath, FilePlan>,
}

/// What happens to one file.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct FilePlan {
    pub(super) create: Option<(String, IfExists)>,
    pub(super) edits: Vec<Edit>,
    pub(super) removal: Option<Removal>,
}

/// How a file goes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Removal {
    /// Whatever it holds.
    Always,
    /// If, after the edits, it holds this text and nothing of the user's.
    IfStill(String),
}

impl Plan {
    /// Makes a file.
    ///
    /// # Panics
    ///
    /// If the plan makes this file already: two parts of a command disagree.
    pub fn create(&mut self, path: RelPath, text: String, if_exists: IfExists) {
        let made_before = self
            .files
            .get(&path)
            .is_some_and(|file| file.create.is_some());
        assert!(!made_before, "{path} is made twice");
        self.files.entry(path).or_default().create = Some((text, if_exists));
    }

    /// Makes a file unless this plan or the user's tree has it.
    pub fn ensure(&mut self, path: RelPath, text: impl FnOnce() -> String) {
        let file = self.files.entry(path).or_default();
        if file.create.is_none() {
            file.create = Some((text(), IfExists::Keep));
        }
    }

    /// Whether it makes this file.
    pub fn makes(&self, path: &RelPath) -> bool {
        self.files
            .get(path)
            .is_some_and(|file| file.create.is_some())
    }

    /// Removes a file, if it is there.
    pub fn remove(&mut self, path: RelPath) {
        self.files.entry(path).or_default().removal = Some(Removal::Always);
    }

    /// Removes a file that, after the edits, is just `text`. One that the user changed stays, unless it may be overwritten.
    pub fn take_back(&mut self, path: RelPath, text: String) {
        self.files.entry(path).or_default().removal = Some(Removal::IfStill(text));
    }

    /// Does not remove the file after all; edits of it are made.
    pub fn leave(&mut self, path: &RelPath) {
        if let Some(file) = self.files.get_mut(path) {
            file.removal = None;
        }
    }

    /// Changes a file that exists, or that this plan makes.
    pub fn edit(&mut self, path: RelPath, edit: Edit) {
        self.files.entry(path).or_default().edits.push(edit);
    }

    /// Inserts text before a scaffold marker.
    pub fn insert(&mut self, path: RelPath, insertion: Insertion) {
        self.edit(path, Edit::Insert(insertion));
    }

    /// Leaves out the edits of a file that are not wanted after all.
    pub fn retain_edits(&mut self, path: &RelPath, wanted: impl FnMut(&Edit) -> bool) {
        if let Some(file) = self.files.get_mut(path) {
            file.edits.retain(wanted);
        }
    }

    /// What it does to these files.
    #[must_use]
    pub fn only(&self, paths: &[RelPath]) -> Self {
        let files = self.files.iter().filter(|(path, _)| paths.contains(path));
        Self {
            files: files
                .map(|(path, file)| (path.clone(), file.clone()))
                .collect(),
        }
    }

    /// What a file has to be for a change to be made in it, if only what differs is changed.
    pub fn merged_from(&self, path: &RelPath) -> Option<&String> {
        let edits = &self.files.get(path)?.edits;
        edits.iter().find_map(|edit| match edit {
            Edit::Merge { ancestor, .. } => Some(ancestor),
            _ => None,
        })
    }

    /// Whether it removes this file if it holds nothing of the user's.
    pub fn takes_back(&self, path: &RelPath) -> bool {
        self.taken_back().any(|(other, _)| other == path)
    }

    /// The files that are removed if they hold nothing of the user's, and what they hold then.
    pub fn taken_back(&self) -> impl Iterator<Item = (&RelPath, &String)> {
        self.files
            .iter()
            .filter_map(|(path, file)| match &file.removal {
                Some(Removal::IfStill(text)) => Some((path, text)),
                _ => None,
            })
    }

    /// The insertions that are taken out again, and from where.
    pub fn taken_out(&self) -> impl Iterator<Item = (&RelPath, &Insertion)> {
        self.files.iter().flat_map(|(path, file)| {
            file.edits.iter().filter_map(move |edit| match edit {
                Edit::TakeOut(insertion) => Some((path, insertion)),
                _ => None,
            })
        })
    }

    /// The files the plan looks at: what a snapshot has to hold.
    pub fn paths(&self) -> BTreeSet<&RelPath> {
        self.files.keys().collect()
    }
}
