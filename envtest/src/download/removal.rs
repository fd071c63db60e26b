//! Removes what was installed, and nothing else: a folder without a receipt was made by somebody else, and so was a file that is not in it.

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
use crate::{Cache, Installed};

/// What the names of folders begin with that are not complete yet, or no longer.
pub(super) const STAGED: &str = ".staged-";

/// Whether a version was installed from an archive, and so can be [removed](remove).
pub fn is_removable(installed: &Installed) -> bool {
    Receipt::read(&installed.folder).is_some()
}

/// Removes a version that was installed from an archive.
pub fn remove(cache: &Cache, installed: &Installed) -> Result<(), DownloadError> {
    let _lock = Lock::take(cache)?;
    remove_folder(&installed.folder)
}

/// What runs that were cut off have left in a cache: parts of downloads, and folders that were not complete.
pub fn leftovers(cache: &Cache) -> Vec<PathBuf> {
    let entries = fs::read_dir(cache.folder()).into_iter().flatten().flatten();
    let is_left = |name: &str| name.starts_with(PREFIX) || name.starts_with(STAGED);
    let mut left: Vec<PathBuf> = entries
        .filter(|entry| is_left(&entry.file_name().to_string_lossy()))
        .map(|entry| entry.path())
        .collect();
    left.sort();
    left
}

/// Removes [what is left](leftovers).
pub fn sweep(cache: &Cache) -> Result<(), DownloadError> {
    let _lock = Lock::take(cache)?;
    for path in leftovers(cache) {
        remove_any(&path).map_err(DownloadError::file("removed", &path))?;
    }
    Ok(())
}

/// Removes folders that a run has left which was cut off. The caller has the lock: nobody is at work on them.
pub(super) fn sweep_staged(cache: &Cache) {
    let is_staged = |path: &PathBuf| path.is_dir();
    for path in leftovers(cache).into_iter().filter(is_staged) {
        // It is in nobody's way, and `cleanup` says why it stays.
        let _ = remove_any(&path);
    }
}

/// Removes the folder of a version, as a whole: first it is out of the way, then it goes.
pub(super) fn remove_folder(folder: &Path) -> Result<(), DownloadError> {
    let failed = || DownloadError::file("removed", folder);
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
    let away = folder.with_file_name(format!("{STAGED}{name}"));
    let remove = || -> io::Result<()> {
        if away.exists() {
            fs::remove_dir_all(&away)?;
        }
        fs::rename(folder, &away)?;
        fs::remove_dir_all(&away)
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
