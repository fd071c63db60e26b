//! Downloads, verifies, unpacks and installs a release.

use std::{
    fs,
    path::{Path, PathBuf},
    time::Duration,
};

use super::{
    DownloadError, Index, Location, Release, archive,
    http::HttpClient,
    index::Archive,
    lock::Lock,
    partial::PartialDownload,
    receipt::Receipt,
    removal::{STAGED, clean_up_staged, remove_dir},
};
use crate::{Cache, Installation, Platform, VersionSelector};

/// Downloads indexes and archives.
#[derive(Debug, Clone)]
pub struct Downloader {
    timeout: Duration,
}

/// Progress of an installation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Progress {
    /// Waiting for another process that uses the cache.
    Waiting,
    /// Downloading the archive.
    Downloading {
        /// Bytes received, including earlier runs.
        received: u64,
        /// Total bytes, if known.
        total: Option<u64>,
    },
    /// Verifying the checksum.
    Verifying,
    /// Unpacking the archive.
    Unpacking,
}

impl Default for Downloader {
    fn default() -> Self {
        Self {
            timeout: Duration::from_secs(30),
        }
    }
}

impl Downloader {
    /// Sets how long to wait for data from the server, 30 seconds by default.
    #[must_use]
    pub fn timeout(self, timeout: Duration) -> Self {
        Self { timeout }
    }

    /// Downloads or reads an index.
    pub fn index(&self, location: &Location) -> Result<Index, DownloadError> {
        let text = match location {
            Location::Url(url) => HttpClient::new(url, self.timeout).text(url)?,
            Location::File(file) => {
                fs::read_to_string(file).map_err(DownloadError::file("read", file))?
            }
        };
        Index::parse(location, &text)
    }

    /// Installs a release, unless it is already installed. Does not change which version is [in use](Cache::set_in_use).
    ///
    /// Atomic: a partial installation is never visible. Concurrent calls wait for each other.
    pub fn install(
        &self,
        release: &Release,
        cache: &Cache,
        progress: &mut dyn FnMut(Progress),
    ) -> Result<Installation, DownloadError> {
        if release.platform != Platform::current() {
            return Err(DownloadError::OtherPlatform {
                platform: release.platform.clone(),
            });
        }
        let archive = release.archive()?;
        let _lock = Lock::acquire(cache, &mut || {
            progress(Progress::Waiting);
            Ok(())
        })?;
        if let Some(installed) = cache.find(VersionSelector::Exact(release.version)) {
            return Ok(installed);
        }
        clean_up_staged(cache);
        let folder = cache.dir().join(release.dir_name());
        if folder.exists() {
            // Incomplete, otherwise it would have been found.
            remove_dir(&folder)?;
        }
        let partial = PartialDownload::new(cache.dir(), &archive.checksum);
        let file = self.fetch(&archive, &partial, progress)?;
        progress(Progress::Unpacking);
        let installed = install_archive(&archive, &file, &folder);
        partial.remove();
        installed?;
        Ok(Installation::new(release.version, folder))
    }

    /// Returns the path of the verified archive.
    fn fetch(
        &self,
        archive: &Archive,
        partial: &PartialDownload,
        progress: &mut dyn FnMut(Progress),
    ) -> Result<PathBuf, DownloadError> {
        let file = match &archive.location {
            Location::Url(url) => {
                let http = HttpClient::new(url, self.timeout);
                partial.complete(&http, url, &mut |received, total| {
                    progress(Progress::Downloading { received, total });
                })?;
                partial.file()
            }
            Location::File(file) => file,
        };
        progress(Progress::Verifying);
        let actual = archive::checksum(file).map_err(DownloadError::file("read", file))?;
        if actual == archive.checksum {
            return Ok(file.to_owned());
        }
        partial.remove();
        Err(DownloadError::ChecksumMismatch {
            location: archive.location.clone(),
            expected: archive.checksum.clone(),
            actual,
        })
    }
}

/// Unpacks an archive next to its directory and renames it into place.
fn install_archive(archive: &Archive, file: &Path, folder: &Path) -> Result<(), DownloadError> {
    let parent = folder.parent().unwrap_or(folder);
    let staged = tempfile::Builder::new().prefix(STAGED).tempdir_in(parent);
    let staged = staged.map_err(DownloadError::file("write", parent))?;
    let files = archive::unpack(&archive.location, file, staged.path())?;
    let receipt = Receipt {
        source: archive.location.to_string(),
        sha512: archive.checksum.clone(),
        files,
    };
    receipt.write(staged.path())?;
    make_readable(staged.path()).map_err(DownloadError::file("write", staged.path()))?;
    fs::rename(staged.path(), folder).map_err(DownloadError::file("create", folder))?;
    // Renamed, so there is nothing to remove.
    let _ = staged.keep();
    Ok(())
}

/// Other users may use the binaries, whatever the umask.
#[cfg(unix)]
fn make_readable(folder: &Path) -> std::io::Result<()> {
    use std::os::unix::fs::PermissionsExt;

    fs::set_permissions(folder, fs::Permissions::from_mode(0o755))
}

#[cfg(not(unix))]
fn make_readable(_: &Path) -> std::io::Result<()> {
    Ok(())
}
