//! One run at a time changes a cache. The lock goes with the process, however it ends; its file stays.

use std::{
    fs::{self, File, TryLockError},
    io,
};

use super::DownloadError;
use crate::Cache;

/// The file that is locked.
const NAME: &str = ".lock";

/// While it is held, no other run changes the cache.
#[derive(Debug)]
pub(super) struct Lock(#[expect(dead_code, reason = "the lock goes with the file")] File);

impl Lock {
    /// Takes it, or says that somebody has it.
    pub(super) fn take(cache: &Cache) -> Result<Self, DownloadError> {
        Self::wait(cache, &mut || {
            Err(DownloadError::Busy(cache.folder().to_owned()))
        })
    }

    /// Takes it; if somebody has it, `busy` says whether to wait.
    pub(super) fn wait(
        cache: &Cache,
        busy: &mut dyn FnMut() -> Result<(), DownloadError>,
    ) -> Result<Self, DownloadError> {
        let path = cache.folder().join(NAME);
        let made = DownloadError::file("made", cache.folder());
        fs::create_dir_all(cache.folder()).map_err(made)?;
        if fs::symlink_metadata(&path).is_ok_and(|metadata| !metadata.is_file()) {
            let refused = io::Error::other("not a regular file");
            return Err(DownloadError::file("locked", &path)(refused));
        }
        let mut options = File::options();
        let file = options.create(true).truncate(false).write(true).open(&path);
        let file = file.map_err(DownloadError::file("written", &path))?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                busy()?;
                file.lock().map_err(DownloadError::file("locked", &path))?;
            }
            Err(TryLockError::Error(source)) => {
                return Err(DownloadError::file("locked", &path)(source));
            }
        }
        Ok(Self(file))
    }
}
