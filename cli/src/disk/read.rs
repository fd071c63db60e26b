//! Reads files and finds the project.

use std::{
    fs::{self, File},
    io::{self, Read},
    path::{Path, PathBuf},
};

use super::{DiskError, journal::JOURNAL};
use crate::plan::{FileState, RelPath, Snapshot};

/// File name of the project configuration.
pub(super) const PROJECT: &str = "PROJECT";

/// Size limit for files: a hostile clone must not exhaust the memory.
const MAX_SIZE: u64 = 16 << 20;

/// Reads the files at `paths` and at their staging paths.
pub fn snapshot<'a>(root: &Path, paths: impl IntoIterator<Item = &'a RelPath>) -> Snapshot {
    paths
        .into_iter()
        .flat_map(|path| [path.clone(), path.staging()])
        .map(|path| (path.clone(), file_state(root, &path)))
        .collect()
}

/// Reads one path without following links.
pub(super) fn file_state(root: &Path, path: &RelPath) -> FileState {
    if let Some(by) = blocked_by(root, path) {
        return FileState::Blocked { by };
    }
    let full = path.below(root);
    let metadata = match fs::symlink_metadata(&full) {
        Ok(metadata) => metadata,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return FileState::Missing,
        Err(error) => return FileState::Unreadable(error.to_string()),
    };
    let kind = metadata.file_type();
    if kind.is_symlink() {
        FileState::Symlink
    } else if kind.is_dir() {
        FileState::Directory
    } else if kind.is_file() {
        match read_file(&full).map(String::from_utf8) {
            Ok(Ok(text)) if metadata.permissions().readonly() => FileState::ReadOnly(text),
            Ok(Ok(text)) => FileState::File(text),
            Ok(Err(_)) => FileState::Binary,
            Err(error) => FileState::Unreadable(error.to_string()),
        }
    } else {
        FileState::Special
    }
}

/// Lists a directory, or the root itself, sorted. A missing directory is empty; names that no plan can hold are skipped.
pub fn files_in(root: &Path, directory: Option<&RelPath>) -> Result<Vec<RelPath>, DiskError> {
    let full = directory.map_or(root.to_path_buf(), |directory| directory.below(root));
    let entries = match fs::read_dir(&full) {
        Ok(entries) => entries,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        // The plan reports this conflict.
        Err(error) if error.kind() == io::ErrorKind::NotADirectory => return Ok(Vec::new()),
        Err(error) => return Err(DiskError::io("read", &full)(error)),
    };
    let mut files = Vec::new();
    for entry in entries {
        let name = entry.map_err(DiskError::io("read", &full))?.file_name();
        let path = name.to_str().map(|name| match directory {
            Some(directory) => format!("{directory}/{name}"),
            None => name.to_owned(),
        });
        files.extend(path.and_then(|path| RelPath::try_from(path).ok()));
    }
    files.sort();
    Ok(files)
}

/// Returns the outermost parent of `path` that is not a directory. A link might lead out of the project.
pub(super) fn blocked_by(root: &Path, path: &RelPath) -> Option<RelPath> {
    let is_blocking = |parent: &RelPath| {
        fs::symlink_metadata(parent.below(root)).is_ok_and(|metadata| !metadata.is_dir())
    };
    path.parents().find(is_blocking)
}

/// Reads a regular file; devices and pipes may be endless.
fn read_file(path: &Path) -> io::Result<Vec<u8>> {
    if !fs::metadata(path)?.is_file() {
        return Err(io::Error::other("not a regular file"));
    }
    read_bounded(&File::open(path)?)
}

/// Reads an open file of at most [`MAX_SIZE`] bytes.
pub(super) fn read_bounded(file: &File) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    file.take(MAX_SIZE + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > MAX_SIZE {
        let limit = MAX_SIZE >> 20;
        return Err(io::Error::other(format!("larger than {limit} MiB")));
    }
    Ok(bytes)
}

fn read_utf8(path: &Path) -> io::Result<String> {
    let not_text = |_| io::Error::new(io::ErrorKind::InvalidData, "not UTF-8 text");
    String::from_utf8(read_file(path)?).map_err(not_text)
}

/// Returns the nearest ancestor of `start` with a PROJECT file, or with the journal of an interrupted `init`.
pub fn project_root(start: &Path) -> Option<PathBuf> {
    start
        .ancestors()
        .find(|directory| {
            [PROJECT, JOURNAL]
                .iter()
                .any(|name| fs::symlink_metadata(directory.join(name)).is_ok())
        })
        .map(Path::to_path_buf)
}

/// Reads a text file.
pub fn read_text(path: &Path) -> Result<String, DiskError> {
    read_utf8(path).map_err(DiskError::io("read", path))
}

/// Reads a text file, if it exists.
pub fn read_optional(path: &Path) -> Result<Option<String>, DiskError> {
    match read_utf8(path) {
        Ok(text) => Ok(Some(text)),
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
