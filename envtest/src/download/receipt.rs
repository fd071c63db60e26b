//! What an installation notes in its folder: where it came from, and which files it made. Only those are ever removed.

use std::{fs, path::Path};

use serde::{Deserialize, Serialize};

use super::DownloadError;
use crate::small_file;

/// The file in the folder of a version.
pub(super) const NAME: &str = ".kb-rs-envtest.json";

/// What was installed.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Receipt {
    /// The archive.
    pub(super) source: String,
    /// Its sum.
    pub(super) sha512: String,
    /// What was unpacked.
    pub(super) files: Vec<String>,
}

impl Receipt {
    /// That in a folder, if there is one.
    pub(super) fn read(folder: &Path) -> Option<Self> {
        let text = small_file::read(&folder.join(NAME)).ok()?;
        serde_json::from_slice(&text).ok()
    }

    /// Leaves it in a folder.
    pub(super) fn write(&self, folder: &Path) -> Result<(), DownloadError> {
        let path = folder.join(NAME);
        let text = serde_json::to_string_pretty(self).unwrap_or_default();
        fs::write(&path, format!("{text}\n")).map_err(DownloadError::file("written", &path))
    }
}
