//! Serializes changes to a cache. The operating system releases the lock when the process exits; the file stays.

use std::{
    fs::{self, File, TryLockError},
    io,
};

use super::DownloadError;
use crate::Cache;

const NAME: &str = ".lock";

/// Exclusive lock of a cache.
#[derive(Debug)]
pub(super) struct Lock(#[expect(dead_code, reason = "closing the file releases the lock")] File);

impl Lock {
    /// Acquires the lock, or fails if another process holds it.
    pub(super) fn try_acquire(cache: &Cache) -> Result<Self, DownloadError> {
        Self::acquire(cache, &mut || {
            Err(DownloadError::Busy(cache.dir().to_owned()))
        })
    }

    /// Acquires the lock. If another process holds it, waits unless `busy` fails.
    pub(super) fn acquire(
        cache: &Cache,
        busy: &mut dyn FnMut() -> Result<(), DownloadError>,
    ) -> Result<Self, DownloadError> {
        let path = cache.dir().join(NAME);
        let create_error = DownloadError::file("create", cache.dir());
        fs::create_dir_all(cache.dir()).map_err(create_error)?;
        if fs::symlink_metadata(&path).is_ok_and(|metadata| !metadata.is_file()) {
            let error = io::Error::other("not a regular file");
            return Err(DownloadError::file("lock", &path)(error));
        }
        let mut options = File::options();
        let file = options.create(true).truncate(false).write(true).open(&path);
        let file = file.map_err(DownloadError::file("write", &path))?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                busy()?;
                file.lock().map_err(DownloadError::file("lock", &path))?;
            }
            Err(TryLockError::Error(source)) => {
                return Err(DownloadError::file("lock", &path)(source));
            }
        }
        Ok(Self(file))
    }
}
