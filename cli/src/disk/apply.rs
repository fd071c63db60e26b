//! Carries a resolved plan out: all of it, or nothing.
//!
//! Every file is staged beside its target, the targets are looked at once more, and only then are the files renamed into place,
//! PROJECT last. What fails before that point is undone here; what fails or is killed after it is finished by the next run,
//! from the journal. It is safe against the death of the process, not against a power cut: nothing is flushed to the device.

use std::{
    fs,
    path::{Path, PathBuf},
};

use super::{
    DiskError,
    journal::{Journal, Record, RecordedFile, fingerprint, staged},
    read::{PROJECT, entry},
    recover,
};
use crate::plan::{Action, Change, Entry, RelPath};

/// Where a run is. Tests stop the process at every one of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Step<'a> {
    /// The journal says what will be done.
    Begun,
    /// A file's new content waits beside it.
    Staged(&'a RelPath),
    /// From here on the run will be finished, if need be by the next one.
    Committed,
    /// A file is in place.
    Placed(&'a Change),
    /// The journal is gone.
    Ended,
}

/// Makes `changes` below `root`, which is made if it is not there. `observe` is told of every step.
pub fn apply(
    root: &Path,
    changes: &[Change],
    observe: &mut dyn FnMut(Step<'_>),
) -> Result<(), DiskError> {
    if changes.is_empty() {
        return Ok(());
    }
    let above = missing_folders(root);
    let result =
        make_folders(&above).and_then(|()| apply_below(root, above.len(), changes, observe));
    if result.is_err() {
        recover::remove_empty(root, above.len());
    }
    result
}

fn make_folders(folders: &[PathBuf]) -> Result<(), DiskError> {
    folders.iter().try_for_each(|folder| {
        fs::create_dir(folder).map_err(DiskError::io("make the folder", folder))
    })
}

fn apply_below(
    root: &Path,
    made_above: usize,
    changes: &[Change],
    observe: &mut dyn FnMut(Step<'_>),
) -> Result<(), DiskError> {
    let ordered = project_last(changes);
    let record = Record {
        folders: new_folders(root, &ordered),
        files: ordered.iter().map(|change| recorded(change)).collect(),
        made_above,
    };
    let mut journal = Journal::begin(root)?;
    let prepared = journal
        .record(&record)
        .and_then(|()| {
            observe(Step::Begun);
            stage(root, &record, &ordered, observe)
        })
        .and_then(|()| check_unchanged(root, &record))
        .and_then(|()| journal.commit());
    if let Err(error) = prepared {
        recover::undo(root, &record);
        // What led here is what the user has to hear of.
        let _ = journal.end();
        return Err(error);
    }
    observe(Step::Committed);
    for change in ordered {
        recover::place(root, &recorded(change))?;
        observe(Step::Placed(change));
    }
    journal.end()?;
    observe(Step::Ended);
    Ok(())
}

fn recorded(change: &Change) -> RecordedFile {
    RecordedFile {
        path: change.path.clone(),
        before: change.before.as_deref().map(fingerprint),
        remove: change.action == Action::Remove,
    }
}

/// PROJECT says what the tree holds: it changes when the rest has.
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
    observe: &mut dyn FnMut(Step<'_>),
) -> Result<(), DiskError> {
    for folder in &record.folders {
        let folder = folder.below(root);
        fs::create_dir(&folder).map_err(DiskError::io("make the folder", &folder))?;
    }
    let written = |change: &&&Change| change.action != Action::Remove;
    for change in changes.iter().filter(written) {
        let temporary = staged(root, &change.path);
        fs::write(&temporary, &change.after)
            .map_err(DiskError::io("write", &change.path.below(root)))?;
        let target = change.path.below(root);
        if let Ok(metadata) = fs::metadata(&target) {
            fs::set_permissions(&temporary, metadata.permissions())
                .map_err(DiskError::io("set the permissions of", &temporary))?;
        }
        observe(Step::Staged(&change.path));
    }
    Ok(())
}

/// The user may have saved a file while the command ran.
fn check_unchanged(root: &Path, record: &Record) -> Result<(), DiskError> {
    match record.files.iter().find(|file| !is_as_before(root, file)) {
        Some(file) => Err(DiskError::Changed {
            path: file.path.below(root),
        }),
        None => Ok(()),
    }
}

/// Whether a file still has the text it had, or is still absent.
pub(super) fn is_as_before(root: &Path, file: &RecordedFile) -> bool {
    match (entry(root, &file.path), file.before) {
        (Entry::Missing, None) => true,
        (Entry::File(text) | Entry::Protected(text), Some(before)) => fingerprint(&text) == before,
        _ => false,
    }
}

/// Folders below `root` that have to be made, outermost first.
fn new_folders(root: &Path, changes: &[&Change]) -> Vec<RelPath> {
    let mut folders: Vec<RelPath> = changes
        .iter()
        .flat_map(|change| change.path.parents())
        .filter(|folder| !folder.below(root).is_dir())
        .collect();
    folders.sort();
    folders.dedup();
    folders
}

/// `root` and the folders above it that do not exist, outermost first.
fn missing_folders(root: &Path) -> Vec<PathBuf> {
    let mut missing: Vec<PathBuf> = root
        .ancestors()
        .take_while(|folder| !folder.as_os_str().is_empty() && !folder.exists())
        .map(Path::to_path_buf)
        .collect();
    missing.reverse();
    missing
}
