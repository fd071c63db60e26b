//! Deals with what a run that was killed left behind: finishes it if it was past the point of no return, undoes it if not.

use std::{fs, io, path::Path};

use super::{
    DiskError,
    error::PLACE,
    journal::{Journal, Progress, Record, staged},
};
use crate::plan::RelPath;

/// What was done about an interrupted run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Recovery {
    /// There was none.
    Nothing,
    /// Its changes were completed.
    Finished,
    /// It had changed nothing yet; its traces were removed.
    Undone,
}

/// Finishes or undoes an interrupted run in `root`.
pub fn recover(root: &Path) -> Result<Recovery, DiskError> {
    let Some(mut journal) = Journal::abandoned(root)? else {
        return Ok(Recovery::Nothing);
    };
    let recovery = match journal.progress()? {
        Progress::Begun => Recovery::Undone,
        Progress::Staging(record) => {
            undo(root, &record);
            Recovery::Undone
        }
        Progress::Committed(record) => {
            for file in &record.files {
                place(root, file)?;
            }
            Recovery::Finished
        }
    };
    journal.end()?;
    Ok(recovery)
}

/// Renames a staged file into place; does nothing if that was done before.
pub(super) fn place(root: &Path, path: &RelPath) -> Result<(), DiskError> {
    let target = path.below(root);
    match fs::rename(staged(root, path), &target) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        result => result.map_err(DiskError::io(PLACE, &target)),
    }
}

/// Removes staged files and the folders made for them. What cannot be removed is left: it harms nothing, and the error
/// that led here is the one to report.
pub(super) fn undo(root: &Path, record: &Record) {
    for file in &record.files {
        let _ = fs::remove_file(staged(root, file));
    }
    for folder in record.folders.iter().rev() {
        let _ = fs::remove_dir(folder.below(root));
    }
}
