//! The files of a project on disk, for [`ops::generate`](crate::ops::generate).

use std::{collections::BTreeSet, path::Path};

use crate::{
    disk,
    ops::generate::ProjectFiles,
    plan::{RelPath, Snapshot},
    problem::Failure,
};

/// The files of the project in `root`, which need not exist.
pub(super) struct DiskFiles<'a> {
    pub(super) root: &'a Path,
}

impl ProjectFiles for DiskFiles<'_> {
    fn list(&self, dir: Option<&RelPath>) -> Result<Vec<RelPath>, Failure> {
        Ok(disk::files_in(self.root, dir)?)
    }

    fn snapshot(&self, paths: BTreeSet<&RelPath>) -> Snapshot {
        disk::snapshot(self.root, paths)
    }
}
