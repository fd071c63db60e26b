//! Reads small regular files of untrusted clones.

use std::{
    fs::{self, File},
    io::{self, Read},
    path::Path,
};

/// Larger than any of these files.
const MAX_SIZE: u64 = 1 << 20;

/// Reads a regular file of at most 1 MiB. Does not open devices and pipes, which may be endless.
pub(crate) fn read(path: &Path) -> io::Result<Vec<u8>> {
    if !fs::metadata(path)?.is_file() {
        return Err(io::Error::other("not a regular file"));
    }
    let mut bytes = Vec::new();
    File::open(path)?
        .take(MAX_SIZE + 1)
        .read_to_end(&mut bytes)?;
    if bytes.len() as u64 > MAX_SIZE {
        return Err(io::Error::other("larger than 1 MiB"));
    }
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use tempfile::TempDir;

    use super::*;

    #[test]
    fn large_files_are_rejected() {
        let folder = TempDir::new().unwrap();
        let path = folder.path().join("file");
        let file = File::create(&path).unwrap();
        file.set_len(MAX_SIZE).unwrap();
        assert!(read(&path).is_ok());
        file.set_len(64 << 30).unwrap();
        assert!(read(&path).is_err());
        assert!(read(folder.path()).is_err());
    }

    #[cfg(unix)]
    #[test]
    fn devices_are_rejected() {
        assert!(read(Path::new("/dev/zero")).is_err());
    }
}
