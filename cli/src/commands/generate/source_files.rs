//! The sources on disk, and a note of each file that was looked at, for `--watch`.

use std::{cell::RefCell, path::Path};

use crate::{
    disk::{self, Stamps},
    plan::RelPath,
    source::Files,
};

/// The files below a project's root.
pub(super) struct SourceFiles<'a> {
    root: &'a Path,
    seen: Option<RefCell<Stamps>>,
}

impl<'a> SourceFiles<'a> {
    /// With `watched`, what is looked at is noted.
    pub(super) fn new(root: &'a Path, watched: bool) -> Self {
        Self {
            root,
            seen: watched.then(RefCell::default),
        }
    }

    /// What was looked at.
    pub(super) fn into_seen(self) -> Stamps {
        self.seen.map(RefCell::into_inner).unwrap_or_default()
    }

    /// Notes a file, and the folder in which another might take its place. The project's root changes with every run: it does not count.
    fn note(&self, path: &RelPath) {
        if let Some(seen) = &self.seen {
            let mut seen = seen.borrow_mut();
            seen.add(&path.below(self.root));
            if let Some(folder) = path.parents().last() {
                seen.add(&folder.below(self.root));
            }
        }
    }
}

impl Files for SourceFiles<'_> {
    fn text(&self, path: &RelPath) -> Result<Option<String>, String> {
        self.note(path);
        Unwatched(self.root).text(path)
    }

    fn entries(&self, folder: Option<&RelPath>) -> Result<Vec<RelPath>, String> {
        if let (Some(seen), Some(folder)) = (&self.seen, folder) {
            seen.borrow_mut().add(&folder.below(self.root));
        }
        Unwatched(self.root).entries(folder)
    }
}

/// The files below a project's root, for any number of threads, when nobody watches them.
pub(super) struct Unwatched<'a>(pub(super) &'a Path);

impl Files for Unwatched<'_> {
    fn text(&self, path: &RelPath) -> Result<Option<String>, String> {
        disk::read_optional(&path.below(self.0)).map_err(|error| error.to_string())
    }

    fn entries(&self, folder: Option<&RelPath>) -> Result<Vec<RelPath>, String> {
        disk::files_in(self.0, folder).map_err(|error| error.to_string())
    }
}
