//! Records the source and files of an installation in its directory. Only these files are ever removed.

use std::{fs, path::Path};

use serde::{Deserialize, Serialize};

use super::DownloadError;
use crate::small_file;

/// Name of the receipt.
pub(super) const NAME: &str = ".kb-rs-envtest.json";

/// Source and files of an installation.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Receipt {
    /// Location of the archive.
    pub(super) source: String,
    /// Checksum of the archive.
    pub(super) sha512: String,
    /// Installed files.
    pub(super) files: Vec<String>,
}

impl Receipt {
    /// Reads the receipt in a directory, if any.
    pub(super) fn read(folder: &Path) -> Option<Self> {
        let text = small_file::read(&folder.join(NAME)).ok()?;
        serde_json::from_slice(&text).ok()
    }

    /// Writes the receipt to a directory.
    pub(super) fn write(&self, folder: &Path) -> Result<(), DownloadError> {
        let path = folder.join(NAME);
        let text = serde_json::to_string_pretty(self).unwrap_or_default();
        fs::write(&path, format!("{text}\n")).map_err(DownloadError::file("write", &path))
    }
}
