//! Deals with what a run that was killed left behind: finishes it if it was past the point of no return, undoes it if not.
//!
//! The journal may come from somebody else, with a clone. Before anything is removed or renamed, every path in it is checked for
//! links on the way: what is behind one is not of this project.

use std::{fs, io, path::Path};

use super::{
    DiskError,
    apply::is_as_before,
    error::PLACE,
    journal::{JOURNAL, Journal, Progress, Record, RecordedFile},
    read::blocked_by,
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

/// Whether a run was interrupted in `root`, or is under way.
pub fn is_pending(root: &Path) -> bool {
    fs::symlink_metadata(root.join(JOURNAL)).is_ok()
}

/// Finishes or undoes an interrupted run in `root`.
pub fn recover(root: &Path) -> Result<Recovery, DiskError> {
    let Some(mut journal) = Journal::abandoned(root)? else {
        return Ok(Recovery::Nothing);
    };
    match journal.progress()? {
        Progress::Begun => {
            journal.end()?;
            Ok(Recovery::Undone)
        }
        Progress::Staging(record) => {
            check_reachable(root, &record).map_err(|reason| journal.refused(reason))?;
            undo(root, &record);
            journal.end()?;
            Ok(Recovery::Undone)
        }
        Progress::Committed(record) => {
            check_reachable(root, &record).map_err(|reason| journal.refused(reason))?;
            check_unchanged(root, &record)?;
            for file in &record.files {
                if file.remove || is_staged(root, &file.path) {
                    place(root, file)?;
                }
            }
            journal.end()?;
            Ok(Recovery::Finished)
        }
    }
}

/// Refuses a record with a path that leads through a link or a file, or with something else than a file where one is staged.
fn check_reachable(root: &Path, record: &Record) -> Result<(), String> {
    let staging: Vec<RelPath> = record
        .files
        .iter()
        .map(|file| file.path.staging())
        .collect();
    for path in record.folders.iter().chain(&staging) {
        if let Some(by) = blocked_by(root, path) {
            return Err(format!("it names {path}, and {by} is not a folder"));
        }
    }
    for path in staging {
        if fs::symlink_metadata(path.below(root)).is_ok_and(|metadata| !metadata.is_file()) {
            return Err(format!("it names {path}, which is not a regular file"));
        }
    }
    Ok(())
}

/// The user may have worked on a file since the run was interrupted: that is not to be overwritten.
fn check_unchanged(root: &Path, record: &Record) -> Result<(), DiskError> {
    for file in record.files.iter().filter(|file| !file.remove) {
        let (path, staging) = (file.path.below(root), file.path.staging().below(root));
        match (is_staged(root, &file.path), is_as_before(root, file)) {
            (true, false) => {
                return Err(DiskError::ChangedSince {
                    path,
                    staged: staging,
                });
            }
            (false, true) => return Err(DiskError::Lost { path, staging }),
            // To be put in place, or there already.
            (true, true) | (false, false) => {}
        }
    }
    Ok(())
}

/// Whether the new content of a file waits beside it.
pub(super) fn is_staged(root: &Path, path: &RelPath) -> bool {
    fs::symlink_metadata(path.staging().below(root)).is_ok_and(|metadata| metadata.is_file())
}

/// Renames a staged file into place, or removes one that goes, unless it was changed since.
pub(super) fn place(root: &Path, file: &RecordedFile) -> Result<(), DiskError> {
    let path = file.path.below(root);
    if file.remove {
        if is_as_before(root, file) {
            fs::remove_file(&path).map_err(DiskError::io(PLACE, &path))?;
        }
        remove_emptied(root, file);
        return Ok(());
    }
    let staging = file.path.staging().below(root);
    fs::rename(&staging, &path).map_err(|error| match error.kind() {
        io::ErrorKind::NotFound => DiskError::Lost { path, staging },
        _ => DiskError::io(PLACE, &path)(error),
    })
}

/// Removes the folders that held nothing but the file.
fn remove_emptied(root: &Path, file: &RecordedFile) {
    let mut folders: Vec<_> = file.path.parents().collect();
    folders.reverse();
    for folder in folders {
        // The system removes no folder that has something in it.
        match fs::remove_dir(folder.below(root)) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => break,
            _ => {}
        }
    }
}

/// Removes staged files and the folders made for them. What cannot be removed is left: it harms nothing, and the error
/// that led here is the one to report.
pub(super) fn undo(root: &Path, record: &Record) {
    for file in &record.files {
        let _ = fs::remove_file(file.path.staging().below(root));
    }
    for folder in record.folders.iter().rev() {
        let _ = fs::remove_dir(folder.below(root));
    }
}

/// Removes `root` and the folders above it, `count` in all, as far as nothing is in them.
pub(super) fn remove_empty(root: &Path, count: usize) {
    for folder in root.ancestors().take(count) {
        let _ = fs::remove_dir(folder);
    }
}
