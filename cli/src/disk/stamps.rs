//! Change detection for `--watch`, by file size and modification time.

use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
    thread,
    time::{Duration, SystemTime},
};

/// Polling interval.
const INTERVAL: Duration = Duration::from_millis(300);

/// Sizes and modification times of files and directories.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Stamps {
    stamps: BTreeMap<PathBuf, Option<Stamp>>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Stamp {
    length: u64,
    modified: Option<SystemTime>,
}

impl Stamps {
    /// Adds the current stamp of a path, unless it is present. Call this before reading the file, so that no change is
    /// missed; at worst one is seen twice.
    pub fn add(&mut self, path: &Path) {
        if !self.stamps.contains_key(path) {
            self.stamps.insert(path.to_path_buf(), stamp(path));
        }
    }

    /// Adds the stamps of paths that are not present.
    pub fn extend(&mut self, other: Self) {
        for (path, stamp) in other.stamps {
            self.stamps.entry(path).or_insert(stamp);
        }
    }

    /// Blocks until a stamp changes.
    pub fn wait_for_change(&self) {
        while self
            .stamps
            .iter()
            .all(|(path, known)| stamp(path) == *known)
        {
            thread::sleep(INTERVAL);
        }
    }
}

/// Returns `None` for a missing or inaccessible path.
fn stamp(path: &Path) -> Option<Stamp> {
    let metadata = fs::metadata(path).ok()?;
    Some(Stamp {
        length: metadata.len(),
        modified: metadata.modified().ok(),
    })
}
