//! Ownership of a project: like git, kb-rs rejects projects of untrusted users.
//!
//! Commands search for PROJECT in the parent directories. In a world-writable directory such as `/tmp`, anybody can
//! plant one. Trusted are the user, root, and the owner of the working directory, which the user chose; the latter covers
//! sudo and containers that run as root in a checkout of another user.

use std::path::Path;

use super::DiskError;

/// Fails if the root directory, PROJECT or journal belongs to an untrusted user; `start` is the working directory.
#[cfg(unix)]
pub fn check_owner(root: &Path, start: &Path) -> Result<(), DiskError> {
    use std::{fs, os::unix::fs::MetadataExt};

    use super::{journal::JOURNAL, read::PROJECT};

    let owner = |path: &Path| {
        fs::symlink_metadata(path)
            .ok()
            .map(|metadata| metadata.uid())
    };
    let user = rustix::process::geteuid().as_raw();
    let is_trusted = |uid: u32| uid == user || uid == 0 || Some(uid) == owner(start);
    for path in [root.to_path_buf(), root.join(PROJECT), root.join(JOURNAL)] {
        if let Some(uid) = owner(&path).filter(|uid| !is_trusted(*uid)) {
            let root = root.to_path_buf();
            return Err(DiskError::Owner { root, path, uid });
        }
    }
    Ok(())
}

/// Always succeeds: Windows has no world-writable directories by default.
#[cfg(not(unix))]
#[allow(clippy::unnecessary_wraps, reason = "it can fail on Unix")]
pub fn check_owner(_: &Path, _: &Path) -> Result<(), DiskError> {
    Ok(())
}
