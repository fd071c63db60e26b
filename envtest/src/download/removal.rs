//! Removes installations. Never touches directories without a receipt or files not listed in it.

use std::{
    fs, io,
    path::{Path, PathBuf},
};

use super::{
    DownloadError,
    lock::Lock,
    partial::PREFIX,
    receipt::{self, Receipt},
};
use crate::{Cache, Installation};

/// Name prefix of incomplete directories.
pub(super) const STAGED: &str = ".staged-";

/// Returns whether a version was installed from an archive and can be [removed](remove).
pub fn is_removable(installed: &Installation) -> bool {
    Receipt::read(&installed.dir).is_some()
}

/// Removes a version that was installed from an archive.
pub fn remove(cache: &Cache, installed: &Installation) -> Result<(), DownloadError> {
    let _lock = Lock::try_acquire(cache)?;
    remove_dir(&installed.dir)
}

/// Lists what interrupted runs left in a cache: partial downloads and incomplete directories.
pub fn leftovers(cache: &Cache) -> Vec<PathBuf> {
    let entries = fs::read_dir(cache.dir()).into_iter().flatten().flatten();
    let is_leftover = |name: &str| name.starts_with(PREFIX) || name.starts_with(STAGED);
    let mut left: Vec<PathBuf> = entries
        .filter(|entry| is_leftover(&entry.file_name().to_string_lossy()))
        .map(|entry| entry.path())
        .collect();
    left.sort();
    left
}

/// Removes [leftovers].
pub fn clean_up(cache: &Cache) -> Result<(), DownloadError> {
    let _lock = Lock::try_acquire(cache)?;
    for path in leftovers(cache) {
        remove_any(&path).map_err(DownloadError::file("remove", &path))?;
    }
    Ok(())
}

/// Removes incomplete directories. The caller holds the lock.
pub(super) fn clean_up_staged(cache: &Cache) {
    let is_staged = |path: &PathBuf| path.is_dir();
    for path in leftovers(cache).into_iter().filter(is_staged) {
        // Harmless; `envtest cleanup` reports the error.
        let _ = remove_any(&path);
    }
}

/// Removes the directory of a version atomically, by renaming it first.
pub(super) fn remove_dir(folder: &Path) -> Result<(), DownloadError> {
    let failed = || DownloadError::file("remove", folder);
    let foreign = |others| DownloadError::Foreign {
        path: folder.to_owned(),
        others,
    };
    let receipt = Receipt::read(folder).ok_or_else(|| foreign(Vec::new()))?;
    let mut others = Vec::new();
    for entry in fs::read_dir(folder).map_err(failed())? {
        let name = entry.map_err(failed())?.file_name();
        let name = name.to_string_lossy().into_owned();
        if name != receipt::NAME && !receipt.files.contains(&name) {
            others.push(name);
        }
    }
    if !others.is_empty() {
        return Err(foreign(others));
    }
    let name = folder.file_name().unwrap_or_default().to_string_lossy();
    let staged = folder.with_file_name(format!("{STAGED}{name}"));
    let remove = || -> io::Result<()> {
        if staged.exists() {
            fs::remove_dir_all(&staged)?;
        }
        fs::rename(folder, &staged)?;
        fs::remove_dir_all(&staged)
    };
    remove().map_err(failed())
}

fn remove_any(path: &Path) -> io::Result<()> {
    if path.is_dir() {
        fs::remove_dir_all(path)
    } else {
        fs::remove_file(path)
    }
}
