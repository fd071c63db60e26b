//! From the index to a folder that is complete: download, check, unpack, put in place.

use std::{
    fs,
    path::{Path, PathBuf},
    time::Duration,
};

use super::{
    DownloadError, Index, Location, Release, archive,
    http::Http,
    index::Archive,
    lock::Lock,
    partial::Partial,
    receipt::Receipt,
    removal::{STAGED, remove_folder, sweep_staged},
};
use crate::{Cache, Installed, Platform, Wanted};

/// Gets indexes and archives.
#[derive(Debug, Clone)]
pub struct Downloader {
    patience: Duration,
}

/// What an installation is at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Progress {
    /// Another run is at work in the same cache; it is waited for.
    Waiting,
    /// The archive comes.
    Receiving {
        /// How many bytes are here, with those of earlier runs.
        received: u64,
        /// How many there will be, if the server says so.
        total: Option<u64>,
    },
    /// The archive is held against its sum.
    Checking,
    /// The archive is unpacked.
    Unpacking,
}

impl Default for Downloader {
    fn default() -> Self {
        Self {
            patience: Duration::from_secs(30),
        }
    }
}

impl Downloader {
    /// Waits this long for a server that sends nothing; 30 seconds, if it is not said.
    #[must_use]
    pub fn patience(self, patience: Duration) -> Self {
        Self { patience }
    }

    /// Reads an index.
    pub fn index(&self, location: &Location) -> Result<Index, DownloadError> {
        let text = match location {
            Location::Url(url) => Http::new(url, self.patience).text(url)?,
            Location::File(file) => {
                fs::read_to_string(file).map_err(DownloadError::file("read", file))?
            }
        };
        Index::parse(location, &text)
    }

    /// Installs a release, unless it is there already. It does not change which version is [in use](Cache::choose).
    ///
    /// Nothing is there before all of it is. Runs at the same time wait for each other.
    pub fn install(
        &self,
        release: &Release,
        cache: &Cache,
        progress: &mut dyn FnMut(Progress),
    ) -> Result<Installed, DownloadError> {
        if release.platform != Platform::current() {
            return Err(DownloadError::OtherPlatform {
                platform: release.platform.clone(),
            });
        }
        let archive = release.archive()?;
        let _lock = Lock::wait(cache, &mut || {
            progress(Progress::Waiting);
            Ok(())
        })?;
        let wanted = Wanted::Exact(release.version);
        if let Some(installed) = cache.find(wanted) {
            return Ok(installed);
        }
        sweep_staged(cache);
        let folder = cache.folder().join(release.folder());
        if folder.exists() {
            // It lacks a binary, or it would have been found.
            remove_folder(&folder)?;
        }
        let partial = Partial::new(cache.folder(), &archive.sum);
        let file = self.receive(&archive, &partial, progress)?;
        progress(Progress::Unpacking);
        let placed = place(&archive, &file, &folder);
        partial.remove();
        placed?;
        Ok(Installed::new(release.version, folder))
    }

    /// The whole archive as a file, with the right sum.
    fn receive(
        &self,
        archive: &Archive,
        partial: &Partial,
        progress: &mut dyn FnMut(Progress),
    ) -> Result<PathBuf, DownloadError> {
        let file = match &archive.location {
            Location::Url(url) => {
                let http = Http::new(url, self.patience);
                partial.complete(&http, url, &mut |received, total| {
                    progress(Progress::Receiving { received, total });
                })?;
                partial.file()
            }
            Location::File(file) => file,
        };
        progress(Progress::Checking);
        let actual = archive::sum(file).map_err(DownloadError::file("read", file))?;
        if actual == archive.sum {
            return Ok(file.to_owned());
        }
        partial.remove();
        Err(DownloadError::WrongSum {
            location: archive.location.clone(),
            expected: archive.sum.clone(),
            actual,
        })
    }
}

/// Unpacks an archive beside its folder, which it becomes as a whole.
fn place(archive: &Archive, file: &Path, folder: &Path) -> Result<(), DownloadError> {
    let parent = folder.parent().unwrap_or(folder);
    let staged = tempfile::Builder::new().prefix(STAGED).tempdir_in(parent);
    let staged = staged.map_err(DownloadError::file("written", parent))?;
    let files = archive::unpack(&archive.location, file, staged.path())?;
    let receipt = Receipt {
        source: archive.location.to_string(),
        sha512: archive.sum.clone(),
        files,
    };
    receipt.write(staged.path())?;
    readable(staged.path()).map_err(DownloadError::file("written", staged.path()))?;
    fs::rename(staged.path(), folder).map_err(DownloadError::file("made", folder))?;
    // It is gone, and need not be removed.
    let _ = staged.keep();
    Ok(())
}

/// The mask of whoever runs this may hide files, and others may use the binaries too.
#[cfg(unix)]
fn readable(folder: &Path) -> std::io::Result<()> {
    use std::os::unix::fs::PermissionsExt;

    fs::set_permissions(folder, fs::Permissions::from_mode(0o755))
}

#[cfg(not(unix))]
fn readable(_: &Path) -> std::io::Result<()> {
    Ok(())
}
