//! Applies a resolved plan, all or nothing.
//!
//! Stages every file beside its target, checks that the targets are unchanged, and commits by renaming the files,
//! PROJECT last. A failure before the commit is rolled back here; a run that fails or is killed after it is completed by
//! the next run from the journal. This survives the death of the process but not a power cut: nothing is synced.

use std::{
    fs::{self, File},
    io::{self, Write},
    path::{Path, PathBuf},
};

use super::{
    DiskError,
    journal::{Journal, JournaledFile, Record, fingerprint},
    read::{PROJECT, file_state},
    recover,
};
use crate::plan::{Action, Change, FileState, RelPath};

/// Progress of a run. Tests kill the process at each step.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Step<'a> {
    /// The journal is written.
    Begun,
    /// A file is staged.
    Staged(&'a RelPath),
    /// The run is committed: it will be completed, if necessary by the next one.
    Committed,
    /// A file is replaced or removed.
    Placed(&'a Change),
    /// The journal is removed.
    Finished,
}

/// Applies `changes` in `root`, which is created if missing, and reports each step to `observe`.
pub fn apply(
    root: &Path,
    changes: &[Change],
    observe: &mut dyn FnMut(Step<'_>),
) -> Result<(), DiskError> {
    if changes.is_empty() {
        return Ok(());
    }
    let created = missing_directories(root);
    let result = create_directories(&created).and_then(|()| apply_below(root, changes, observe));
    if result.is_err() {
        recover::remove_empty(root, created.len());
    }
    result
}

fn create_directories(directories: &[PathBuf]) -> Result<(), DiskError> {
    directories
        .iter()
        .try_for_each(|path| fs::create_dir(path).map_err(DiskError::io("create", path)))
}

fn apply_below(
    root: &Path,
    changes: &[Change],
    observe: &mut dyn FnMut(Step<'_>),
) -> Result<(), DiskError> {
    let ordered = project_last(changes);
    let record = Record {
        directories: new_directories(root, &ordered),
        files: ordered.iter().map(|change| journaled(change)).collect(),
    };
    // A rollback must only remove what this run created.
    let mut created = Record::default();
    let mut journal = Journal::begin(root)?;
    let prepared = journal
        .write_record(&record)
        .and_then(|()| {
            observe(Step::Begun);
            stage(root, &record, &ordered, &mut created, observe)
        })
        .and_then(|()| check_unchanged(root, &record))
        .and_then(|()| journal.commit());
    if let Err(error) = prepared {
        recover::roll_back(root, &created);
        // Report the first error.
        let _ = journal.remove();
        return Err(error);
    }
    observe(Step::Committed);
    for change in ordered {
        recover::place(root, &journaled(change))?;
        observe(Step::Placed(change));
    }
    journal.remove()?;
    observe(Step::Finished);
    Ok(())
}

fn journaled(change: &Change) -> JournaledFile {
    JournaledFile {
        path: change.path.clone(),
        before: change.before.as_deref().map(fingerprint),
        remove: change.action == Action::Remove,
    }
}

/// Moves PROJECT to the end: it must not list resources whose files do not exist yet.
fn project_last(changes: &[Change]) -> Vec<&Change> {
    let (project, mut ordered): (Vec<&Change>, Vec<&Change>) = changes
        .iter()
        .partition(|change| change.path.as_str() == PROJECT);
    ordered.extend(project);
    ordered
}

fn stage(
    root: &Path,
    record: &Record,
    changes: &[&Change],
    created: &mut Record,
    observe: &mut dyn FnMut(Step<'_>),
) -> Result<(), DiskError> {
    for directory in &record.directories {
        let path = directory.below(root);
        fs::create_dir(&path).map_err(DiskError::io("create", &path))?;
        created.directories.push(directory.clone());
    }
    let has_content = |change: &&&Change| change.action != Action::Remove;
    for change in changes.iter().filter(has_content) {
        let (target, staging) = (change.path.below(root), change.path.staging().below(root));
        // Fails if the path exists, even as a link.
        let file = File::create_new(&staging).map_err(|error| match error.kind() {
            io::ErrorKind::AlreadyExists => DiskError::io("write", &staging)(error),
            _ => DiskError::io("write", &target)(error),
        })?;
        created.files.push(journaled(change));
        write_staged(file, &target, &change.after).map_err(DiskError::io("write", &target))?;
        observe(Step::Staged(&change.path));
    }
    Ok(())
}

/// Writes the new text of `target`. Copies its permissions first, because the text may be private.
fn write_staged(mut staging: File, target: &Path, text: &str) -> io::Result<()> {
    if let Ok(metadata) = fs::symlink_metadata(target) {
        staging.set_permissions(metadata.permissions())?;
    }
    staging.write_all(text.as_bytes())
}

/// Fails if the user saved a file while the command ran.
fn check_unchanged(root: &Path, record: &Record) -> Result<(), DiskError> {
    for file in &record.files {
        let path = if !is_unchanged(root, file) {
            file.path.below(root)
        } else if !file.remove && !recover::is_staged(root, &file.path) {
            file.path.staging().below(root)
        } else {
            continue;
        };
        return Err(DiskError::Changed { path });
    }
    Ok(())
}

/// Returns whether a file has the journaled text, or is still missing.
pub(super) fn is_unchanged(root: &Path, file: &JournaledFile) -> bool {
    match (file_state(root, &file.path), file.before) {
        (FileState::Missing, None) => true,
        (FileState::File(text) | FileState::ReadOnly(text), Some(before)) => {
            fingerprint(&text) == before
        }
        _ => false,
    }
}

/// Returns the missing directories of the changes, outermost first.
fn new_directories(root: &Path, changes: &[&Change]) -> Vec<RelPath> {
    let mut directories: Vec<RelPath> = changes
        .iter()
        .flat_map(|change| change.path.parents())
        .filter(|directory| !directory.below(root).is_dir())
        .collect();
    directories.sort();
    directories.dedup();
    directories
}

/// Returns `root` and its ancestors that do not exist, outermost first.
fn missing_directories(root: &Path) -> Vec<PathBuf> {
    let mut missing: Vec<PathBuf> = root
        .ancestors()
        .take_while(|path| !path.as_os_str().is_empty() && !path.exists())
        .map(Path::to_path_buf)
        .collect();
    missing.reverse();
    missing
}
