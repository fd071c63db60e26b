//! Reads the tree: what a plan looks at, and where the project is.

use std::{
    fs, io,
    path::{Path, PathBuf},
};

use super::{DiskError, journal::JOURNAL};
use crate::plan::{Entry, RelPath, Snapshot};

/// The record of a project.
pub(super) const PROJECT: &str = "PROJECT";

/// The entries at `paths` below `root`.
pub fn snapshot<'a>(root: &Path, paths: impl IntoIterator<Item = &'a RelPath>) -> Snapshot {
    paths
        .into_iter()
        .map(|path| (path.clone(), entry(root, path)))
        .collect()
}

/// What is at one path.
pub(super) fn entry(root: &Path, path: &RelPath) -> Entry {
    if let Some(by) = path
        .parents()
        .find(|parent| is_no_folder(&parent.below(root)))
    {
        return Entry::Blocked { by };
    }
    let full = path.below(root);
    let metadata = match fs::symlink_metadata(&full) {
        Ok(metadata) => metadata,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Entry::Missing,
        Err(error) => return Entry::Unreadable(error.to_string()),
    };
    let kind = metadata.file_type();
    if kind.is_symlink() {
        Entry::Symlink
    } else if kind.is_dir() {
        Entry::Folder
    } else if kind.is_file() {
        match fs::read(&full).map(String::from_utf8) {
            Ok(Ok(text)) if metadata.permissions().readonly() => Entry::Protected(text),
            Ok(Ok(text)) => Entry::File(text),
            Ok(Err(_)) => Entry::Binary,
            Err(error) => Entry::Unreadable(error.to_string()),
        }
    } else {
        Entry::Special
    }
}

/// The entries of a folder, or of the root itself, that have names a plan can hold, sorted; none, if the folder does not exist.
pub fn files_in(root: &Path, folder: Option<&RelPath>) -> Result<Vec<RelPath>, DiskError> {
    let full = folder.map_or(root.to_path_buf(), |folder| folder.below(root));
    let entries = match fs::read_dir(&full) {
        Ok(entries) => entries,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        // What is there instead is a conflict of the plan.
        Err(error) if error.kind() == io::ErrorKind::NotADirectory => return Ok(Vec::new()),
        Err(error) => return Err(DiskError::io("read", &full)(error)),
    };
    let mut files = Vec::new();
    for entry in entries {
        let name = entry.map_err(DiskError::io("read", &full))?.file_name();
        let path = name.to_str().map(|name| match folder {
            Some(folder) => format!("{folder}/{name}"),
            None => name.to_owned(),
        });
        files.extend(path.and_then(|path| RelPath::try_from(path).ok()));
    }
    files.sort();
    Ok(files)
}

/// Whether something else is where a folder belongs: a file, or a link, which might lead out of the project.
fn is_no_folder(path: &Path) -> bool {
    fs::symlink_metadata(path).is_ok_and(|metadata| !metadata.is_dir())
}

/// The nearest folder, from `start` upwards, that has a PROJECT file, or the journal of a run that was about to make one.
pub fn project_root(start: &Path) -> Option<PathBuf> {
    start
        .ancestors()
        .find(|folder| {
            [PROJECT, JOURNAL]
                .iter()
                .any(|name| fs::symlink_metadata(folder.join(name)).is_ok())
        })
        .map(Path::to_path_buf)
}

/// The text of a file that the user named.
pub fn read_text(path: &Path) -> Result<String, DiskError> {
    fs::read_to_string(path).map_err(DiskError::io("read", path))
}

/// The text of a file that may be absent.
pub fn read_optional(path: &Path) -> Result<Option<String>, DiskError> {
    match fs::read_to_string(path) {
        Ok(text) => Ok(Some(text)),
        // The second: what should be a folder on the way is a file.
        Err(error)
            if matches!(
                error.kind(),
                io::ErrorKind::NotFound | io::ErrorKind::NotADirectory
            ) =>
        {
            Ok(None)
        }
        Err(error) => Err(DiskError::io("read", path)(error)),
    }
}
