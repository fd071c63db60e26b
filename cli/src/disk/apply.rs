//! Carries a resolved plan out: all of it, or nothing.
//!
//! Every file is staged beside its target, the targets are looked at once more, and only then are the files renamed into place,
//! PROJECT last. What fails before that point is undone here; what fails or is killed after it is finished by the next run,
//! from the journal. It is safe against the death of the process, not against a power cut: nothing is flushed to the device.

use std::{
    fs::{self, File},
    io::{self, Write},
    path::{Path, PathBuf},
};

use super::{
    DiskError,
    journal::{Journal, Record, RecordedFile, fingerprint},
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
    let result = make_folders(&above).and_then(|()| apply_below(root, changes, observe));
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
    changes: &[Change],
    observe: &mut dyn FnMut(Step<'_>),
) -> Result<(), DiskError> {
    let ordered = project_last(changes);
    let record = Record {
        folders: new_folders(root, &ordered),
        files: ordered.iter().map(|change| recorded(change)).collect(),
    };
    // What is undone if the run fails: only what this run has made.
    let mut made = Record::default();
    let mut journal = Journal::begin(root)?;
    let prepared = journal
        .record(&record)
        .and_then(|()| {
            observe(Step::Begun);
            stage(root, &record, &ordered, &mut made, observe)
        })
        .and_then(|()| check_unchanged(root, &record))
        .and_then(|()| journal.commit());
    if let Err(error) = prepared {
        recover::undo(root, &made);
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
    made: &mut Record,
    observe: &mut dyn FnMut(Step<'_>),
) -> Result<(), DiskError> {
    for folder in &record.folders {
        let path = folder.below(root);
        fs::create_dir(&path).map_err(DiskError::io("make the folder", &path))?;
        made.folders.push(folder.clone());
    }
    let written = |change: &&&Change| change.action != Action::Remove;
    for change in changes.iter().filter(written) {
        let (target, staging) = (change.path.below(root), change.path.staging().below(root));
        // Fails on anything that is there, a link among it.
        let file = File::create_new(&staging).map_err(|error| match error.kind() {
            io::ErrorKind::AlreadyExists => DiskError::io("write", &staging)(error),
            _ => DiskError::io("write", &target)(error),
        })?;
        made.files.push(recorded(change));
        fill(file, &target, &change.after).map_err(DiskError::io("write", &target))?;
        observe(Step::Staged(&change.path));
    }
    Ok(())
}

/// Writes the text that shall replace `target`, under its permissions. They come first: the text may be private.
fn fill(mut staging: File, target: &Path, text: &str) -> io::Result<()> {
    if let Ok(metadata) = fs::symlink_metadata(target) {
        staging.set_permissions(metadata.permissions())?;
    }
    staging.write_all(text.as_bytes())
}

/// The user may have saved a file while the command ran.
fn check_unchanged(root: &Path, record: &Record) -> Result<(), DiskError> {
    for file in &record.files {
        let path = if !is_as_before(root, file) {
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
