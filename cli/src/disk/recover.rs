//! Recovers an interrupted run: completes it if it was committed, rolls it back if not.
//!
//! A hostile clone may include a journal. So before removing or renaming anything, every path in it is checked for
//! links, which may lead out of the project.

use std::{fs, io, path::Path};

use super::{
    DiskError,
    apply::is_unchanged,
    error::COMMIT,
    journal::{JOURNAL, Journal, JournaledFile, Progress, Record},
    read::blocked_by,
};
use crate::plan::RelPath;

/// Result of a recovery.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Recovery {
    /// There was no interrupted run.
    NotNeeded,
    /// The interrupted run was completed.
    Completed,
    /// The interrupted run was rolled back.
    RolledBack,
}

/// Returns whether a run was interrupted or is in progress.
pub fn is_pending(root: &Path) -> bool {
    fs::symlink_metadata(root.join(JOURNAL)).is_ok()
}

/// Completes or rolls back an interrupted run.
pub fn recover(root: &Path) -> Result<Recovery, DiskError> {
    let Some(mut journal) = Journal::open_interrupted(root)? else {
        return Ok(Recovery::NotNeeded);
    };
    match journal.progress()? {
        Progress::Begun => {
            journal.remove()?;
            Ok(Recovery::RolledBack)
        }
        Progress::Staging(record) => {
            check_reachable(root, &record).map_err(|reason| journal.invalid(reason))?;
            roll_back(root, &record);
            journal.remove()?;
            Ok(Recovery::RolledBack)
        }
        Progress::Committed(record) => {
            check_reachable(root, &record).map_err(|reason| journal.invalid(reason))?;
            check_unchanged(root, &record)?;
            for file in &record.files {
                if file.remove || is_staged(root, &file.path) {
                    place(root, file)?;
                }
            }
            journal.remove()?;
            Ok(Recovery::Completed)
        }
    }
}

/// Fails if a path leads through something other than a directory, or if a staging path is not a regular file.
fn check_reachable(root: &Path, record: &Record) -> Result<(), String> {
    let staging: Vec<RelPath> = record
        .files
        .iter()
        .map(|file| file.path.staging())
        .collect();
    for path in record.directories.iter().chain(&staging) {
        if let Some(by) = blocked_by(root, path) {
            return Err(format!("it lists {path}, but {by} is not a directory"));
        }
    }
    for path in staging {
        if fs::symlink_metadata(path.below(root)).is_ok_and(|metadata| !metadata.is_file()) {
            return Err(format!("it lists {path}, which is not a regular file"));
        }
    }
    Ok(())
}

/// Fails if a file changed after the interruption.
fn check_unchanged(root: &Path, record: &Record) -> Result<(), DiskError> {
    for file in record.files.iter().filter(|file| !file.remove) {
        let (path, staging) = (file.path.below(root), file.path.staging().below(root));
        match (is_staged(root, &file.path), is_unchanged(root, file)) {
            (true, false) => {
                return Err(DiskError::ChangedSinceInterruption { path, staging });
            }
            (false, true) => return Err(DiskError::StagingFileMissing { path, staging }),
            // Still to be renamed, or already renamed.
            (true, true) | (false, false) => {}
        }
    }
    Ok(())
}

/// Returns whether a file has a staging file.
pub(super) fn is_staged(root: &Path, path: &RelPath) -> bool {
    fs::symlink_metadata(path.staging().below(root)).is_ok_and(|metadata| metadata.is_file())
}

/// Renames a staging file to its target, or removes a file unless it changed.
pub(super) fn place(root: &Path, file: &JournaledFile) -> Result<(), DiskError> {
    let path = file.path.below(root);
    if file.remove {
        if is_unchanged(root, file) {
            fs::remove_file(&path).map_err(DiskError::io(COMMIT, &path))?;
        }
        remove_emptied(root, file);
        return Ok(());
    }
    let staging = file.path.staging().below(root);
    fs::rename(&staging, &path).map_err(|error| match error.kind() {
        io::ErrorKind::NotFound => DiskError::StagingFileMissing { path, staging },
        _ => DiskError::io(COMMIT, &path)(error),
    })
}

/// Removes the parent directories that became empty.
fn remove_emptied(root: &Path, file: &JournaledFile) {
    let mut parents: Vec<_> = file.path.parents().collect();
    parents.reverse();
    for parent in parents {
        // Fails if the directory is not empty.
        match fs::remove_dir(parent.below(root)) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => break,
            _ => {}
        }
    }
}

/// Removes staging files and created directories. Ignores errors: leftovers are harmless, and the error that caused the
/// rollback matters more.
pub(super) fn roll_back(root: &Path, record: &Record) {
    for file in &record.files {
        let _ = fs::remove_file(file.path.staging().below(root));
    }
    for directory in record.directories.iter().rev() {
        let _ = fs::remove_dir(directory.below(root));
    }
}

/// Removes `root` and its parents, `count` directories in all, as far as they are empty.
pub(super) fn remove_empty(root: &Path, count: usize) {
    for directory in root.ancestors().take(count) {
        let _ = fs::remove_dir(directory);
    }
}
