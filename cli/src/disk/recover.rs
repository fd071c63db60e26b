//! Deals with what a run that was killed left behind: finishes it if it was past the point of no return, undoes it if not.

use std::{fs, io, path::Path};

use super::{
    DiskError,
    apply::is_as_before,
    error::PLACE,
    journal::{JOURNAL, Journal, Progress, Record, RecordedFile, staged},
};

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
            undo(root, &record);
            journal.end()?;
            remove_empty(root, record.made_above);
            Ok(Recovery::Undone)
        }
        Progress::Committed(record) => {
            check_unchanged(root, &record)?;
            for file in &record.files {
                place(root, file)?;
            }
            journal.end()?;
            Ok(Recovery::Finished)
        }
    }
}

/// The user may have worked on a file since the run was interrupted: that is not to be overwritten.
fn check_unchanged(root: &Path, record: &Record) -> Result<(), DiskError> {
    let waiting = |file: &&RecordedFile| staged(root, &file.path).exists();
    for file in record.files.iter().filter(waiting) {
        if !is_as_before(root, file) {
            return Err(DiskError::ChangedSince {
                path: file.path.below(root),
                staged: staged(root, &file.path),
            });
        }
    }
    Ok(())
}

/// Renames a staged file into place; does nothing if that was done before. Of files that go, one that was changed since stays.
pub(super) fn place(root: &Path, file: &RecordedFile) -> Result<(), DiskError> {
    let target = file.path.below(root);
    let done = match file.remove {
        true if is_as_before(root, file) => fs::remove_file(&target),
        true => Ok(()),
        false => fs::rename(staged(root, &file.path), &target),
    };
    match done {
        Err(error) if error.kind() == io::ErrorKind::NotFound => {}
        result => result.map_err(DiskError::io(PLACE, &target))?,
    }
    if file.remove {
        remove_emptied(root, file);
    }
    Ok(())
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
        let _ = fs::remove_file(staged(root, &file.path));
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
