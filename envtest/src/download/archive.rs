//! Verifies and unpacks archives.

use std::{
    env::consts::EXE_SUFFIX,
    fs::File,
    io::{self, ErrorKind},
    path::{Component, Path},
};

use flate2::read::MultiGzDecoder;
use ring::digest::{Context, SHA512};
use tar::{Archive, Entry};

use super::{DownloadError, Location};
use crate::cache::missing;

/// Binaries to unpack.
const BINARIES: [&str; 4] = [
    "etcd",
    "kube-apiserver",
    "kube-controller-manager",
    "kubectl",
];

/// Returns the SHA-512 of a file in hex.
pub(super) fn checksum(file: &Path) -> io::Result<String> {
    let mut context = Context::new(&SHA512);
    let mut reader = File::open(file)?;
    let mut buffer = vec![0; 1 << 16];
    loop {
        match io::Read::read(&mut reader, &mut buffer)? {
            0 => break,
            count => context.update(&buffer[..count]),
        }
    }
    let digest = context.finish();
    let digits: Vec<String> = digest
        .as_ref()
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect();
    Ok(digits.concat())
}

/// Unpacks the binaries of an archive into a directory and returns their names.
pub(super) fn unpack(
    location: &Location,
    file: &Path,
    folder: &Path,
) -> Result<Vec<String>, DownloadError> {
    let invalid = |problem| DownloadError::InvalidArchive {
        location: location.clone(),
        problem,
    };
    let failed = |error: io::Error| invalid(error.to_string());
    let reader = File::open(file).map_err(DownloadError::file("read", file))?;
    let mut archive = Archive::new(MultiGzDecoder::new(io::BufReader::new(reader)));
    let mut unpacked = Vec::new();
    for entry in archive.entries().map_err(failed)? {
        let mut entry = entry.map_err(failed)?;
        let Some(name) = binary_name(&entry).map_err(invalid)? else {
            continue;
        };
        let path = folder.join(&name);
        write(&mut entry, &path).map_err(|error| match error.kind() {
            // Other errors come from reading the archive.
            ErrorKind::StorageFull | ErrorKind::QuotaExceeded | ErrorKind::PermissionDenied => {
                DownloadError::file("write", &path)(error)
            }
            _ => invalid(format!("{name}: {error}")),
        })?;
        unpacked.push(name);
    }
    match missing(folder)[..] {
        [] => Ok(unpacked),
        ref missing => Err(invalid(format!("{} missing", missing.join(" and ")))),
    }
}

/// Returns the name of the binary in an entry, if any. Rejects entries outside of the archive.
fn binary_name(entry: &Entry<'_, impl io::Read>) -> Result<Option<String>, String> {
    let path = entry.path().map_err(|error| error.to_string())?;
    let is_inside = |part: Component<'_>| matches!(part, Component::Normal(_) | Component::CurDir);
    if !path.components().all(is_inside) {
        return Err(format!("{} is outside of the archive", path.display()));
    }
    let kind = entry.header().entry_type();
    if kind.is_dir() || kind.is_pax_global_extensions() {
        return Ok(None);
    }
    if !kind.is_file() {
        return Err(format!(
            "{} is neither a file nor a directory",
            path.display()
        ));
    }
    let name = path.file_name().and_then(|name| name.to_str());
    let mut binaries = BINARIES
        .map(|binary| format!("{binary}{EXE_SUFFIX}"))
        .into_iter();
    Ok(binaries.find(|binary| Some(binary.as_str()) == name))
}

/// Writes and syncs a binary: a directory with all binaries counts as complete.
fn write(entry: &mut impl io::Read, path: &Path) -> io::Result<()> {
    let mut file = File::create_new(path)?;
    io::copy(entry, &mut file)?;
    file.sync_all()?;
    make_executable(path)
}

#[cfg(unix)]
fn make_executable(path: &Path) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt;

    std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o755))
}

#[cfg(not(unix))]
fn make_executable(_: &Path) -> io::Result<()> {
    Ok(())
}
