//! Whether files changed, by their size and the time of their last change: what `--watch` looks at.

use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
    thread,
    time::{Duration, SystemTime},
};

/// How often a watch looks.
const INTERVAL: Duration = Duration::from_millis(300);

/// Files and folders, and how each was when it was noted.
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
    /// Notes a file or folder as it is now, unless it is noted already. To be called before the file is read: so no change is
    /// missed, and at worst one is seen twice.
    pub fn note(&mut self, path: &Path) {
        if !self.stamps.contains_key(path) {
            self.stamps.insert(path.to_path_buf(), stamp(path));
        }
    }

    /// Adds those of another list that this one does not have.
    pub fn extend(&mut self, other: Self) {
        for (path, stamp) in other.stamps {
            self.stamps.entry(path).or_insert(stamp);
        }
    }

    /// Waits until one of them is no longer as it was.
    pub fn wait_for_change(&self) {
        while self
            .stamps
            .iter()
            .all(|(path, noted)| stamp(path) == *noted)
        {
            thread::sleep(INTERVAL);
        }
    }
}

/// None, if there is nothing at the path, or nothing that can be seen.
fn stamp(path: &Path) -> Option<Stamp> {
    let metadata = fs::metadata(path).ok()?;
    Some(Stamp {
        length: metadata.len(),
        modified: metadata.modified().ok(),
    })
}
