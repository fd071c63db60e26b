//! Whose project it is: as git does, kb-rs refuses to work in one that somebody else has put in the way.
//!
//! A command looks for its project upward, and in a folder that others can write to, such as `/tmp`, anybody can leave a PROJECT for
//! it to find. Trusted are the user, root, and the owner of the working directory: who runs a command there has chosen to. That also
//! covers sudo, and containers that run as root in a checkout of another user.

use std::path::Path;

use super::DiskError;

/// Refuses a project with a root folder, PROJECT or journal of somebody else than the user trusts by being in `start`.
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

/// Windows has no such folders: what others write to is a choice of the user.
#[cfg(not(unix))]
#[allow(clippy::unnecessary_wraps, reason = "it can fail elsewhere")]
pub fn check_owner(_: &Path, _: &Path) -> Result<(), DiskError> {
    Ok(())
}
