//! Unpacks an archive: the control plane's programs, and nothing else, into one folder.

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

/// What is taken from an archive.
const PROGRAMS: [&str; 4] = [
    "etcd",
    "kube-apiserver",
    "kube-controller-manager",
    "kubectl",
];

/// The SHA-512 of a file, in hex.
pub(super) fn sum(file: &Path) -> io::Result<String> {
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

/// Unpacks the programs of an archive, which is in `file`, into a folder; gives their names.
pub(super) fn unpack(
    location: &Location,
    file: &Path,
    folder: &Path,
) -> Result<Vec<String>, DownloadError> {
    let refused = |problem| DownloadError::Archive {
        location: location.clone(),
        problem,
    };
    let failed = |error: io::Error| refused(error.to_string());
    let reader = File::open(file).map_err(DownloadError::file("read", file))?;
    let mut archive = Archive::new(MultiGzDecoder::new(io::BufReader::new(reader)));
    let mut unpacked = Vec::new();
    for entry in archive.entries().map_err(failed)? {
        let mut entry = entry.map_err(failed)?;
        let Some(name) = program(&entry).map_err(refused)? else {
            continue;
        };
        let path = folder.join(&name);
        write(&mut entry, &path).map_err(|error| match error.kind() {
            // All else comes from the archive, which is read at the same time.
            ErrorKind::StorageFull | ErrorKind::QuotaExceeded | ErrorKind::PermissionDenied => {
                DownloadError::file("written", &path)(error)
            }
            _ => refused(format!("{name}: {error}")),
        })?;
        unpacked.push(name);
    }
    match missing(folder)[..] {
        [] => Ok(unpacked),
        ref missing => Err(refused(format!("it has no {}", missing.join(" and no ")))),
    }
}

/// The program that an entry is, if it is one. Entries that lead elsewhere are refused: who made them meant no good.
fn program(entry: &Entry<'_, impl io::Read>) -> Result<Option<String>, String> {
    let path = entry.path().map_err(|error| error.to_string())?;
    let is_inside = |part: Component<'_>| matches!(part, Component::Normal(_) | Component::CurDir);
    if !path.components().all(is_inside) {
        return Err(format!("{} leads out of it", path.display()));
    }
    let kind = entry.header().entry_type();
    if kind.is_dir() || kind.is_pax_global_extensions() {
        return Ok(None);
    }
    if !kind.is_file() {
        return Err(format!("{} is neither a file nor a folder", path.display()));
    }
    let name = path.file_name().and_then(|name| name.to_str());
    let programs = PROGRAMS.map(|program| format!("{program}{EXE_SUFFIX}"));
    Ok(programs
        .into_iter()
        .find(|program| Some(program.as_str()) == name))
}

/// Writes a program, and waits until the disk has it: its folder is taken for complete.
fn write(entry: &mut impl io::Read, path: &Path) -> io::Result<()> {
    let mut file = File::create_new(path)?;
    io::copy(entry, &mut file)?;
    file.sync_all()?;
    executable(path)
}

#[cfg(unix)]
fn executable(path: &Path) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt;

    std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o755))
}

#[cfg(not(unix))]
fn executable(_: &Path) -> io::Result<()> {
    Ok(())
}
