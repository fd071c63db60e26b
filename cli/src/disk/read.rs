//! Reads the tree: what a plan looks at, and where the project is.

use std::{
    fs::{self, File},
    io::{self, Read},
    path::{Path, PathBuf},
};

use super::{DiskError, journal::JOURNAL};
use crate::plan::{Entry, RelPath, Snapshot};

/// The record of a project.
pub(super) const PROJECT: &str = "PROJECT";

/// Largest file that kb-rs reads: a clone must not be able to exhaust the memory.
const MAX_SIZE: u64 = 16 << 20;

/// The entries at `paths` below `root`, and those where their new content would be staged.
pub fn snapshot<'a>(root: &Path, paths: impl IntoIterator<Item = &'a RelPath>) -> Snapshot {
    paths
        .into_iter()
        .flat_map(|path| [path.clone(), path.staging()])
        .map(|path| (path.clone(), entry(root, &path)))
        .collect()
}

/// What is at one path.
pub(super) fn entry(root: &Path, path: &RelPath) -> Entry {
    if let Some(by) = blocked_by(root, path) {
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
        match read_file(&full).map(String::from_utf8) {
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

/// The outermost folder above `path` that is something else: a file, or a link, which might lead out of the project.
pub(super) fn blocked_by(root: &Path, path: &RelPath) -> Option<RelPath> {
    let is_no_folder = |parent: &RelPath| {
        fs::symlink_metadata(parent.below(root)).is_ok_and(|metadata| !metadata.is_dir())
    };
    path.parents().find(is_no_folder)
}

/// Reads a regular file. Devices and pipes, which may be endless, are not opened.
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
    read_utf8(path).map_err(DiskError::io("read", path))
}

/// The text of a file that may be absent.
pub fn read_optional(path: &Path) -> Result<Option<String>, DiskError> {
    match read_utf8(path) {
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
