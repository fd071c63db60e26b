//! The private directory of a control plane, with keys, data and logs.
//!
//! It is removed when dropped; after a failure the logs are kept. For processes that are killed or keep an environment in a `static`, a shell
//! waits on a pipe that closes when the process exits, and removes the directory.

use std::{
    fs, io,
    path::{Path, PathBuf},
    thread,
};

use crate::{Error, process::Watcher};

/// Marks that logs are kept.
const KEPT: &str = "kept";

/// Removes the directory. Retries, because servers may still write for a moment.
const CLEANUP: &str = r#"
trap '' INT TERM HUP QUIT
read -r _ && exit
for _ in 1 2 3 4 5 6 7 8 9 10; do
    if [ -e "$1/kept" ]; then
        find "$1" -mindepth 1 ! -name '*.log' ! -name kept -delete && rm -f "$1/kept" && exit
    else
        rm -rf "$1" && exit
    fi
    sleep 0.2
done
"#;

#[derive(Debug)]
pub(crate) struct EnvironmentDir {
    path: PathBuf,
    _cleanup: Watcher,
}

impl EnvironmentDir {
    pub(crate) fn new() -> Result<Self, Error> {
        let failed = |path, source| Error::File {
            path,
            action: "create",
            source,
        };
        let mut builder = tempfile::Builder::new();
        builder.prefix("kb-envtest-");
        #[cfg(unix)]
        builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o700));
        let temporary = builder.tempdir();
        let temporary = temporary.map_err(|source| failed(std::env::temp_dir(), source))?;
        let cleanup = Watcher::start(CLEANUP, temporary.path());
        let cleanup = cleanup.map_err(|source| failed(temporary.path().to_owned(), source))?;
        Ok(Self {
            path: temporary.keep(),
            _cleanup: cleanup,
        })
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Keeps the logs when the directory is removed, and prints their location.
    #[expect(clippy::print_stderr, reason = "output of the test")]
    pub(crate) fn keep_logs(&self) {
        let marker = self.path.join(KEPT);
        if marker.exists() {
            return;
        }
        match fs::write(marker, "") {
            Ok(()) => eprintln!("control plane logs: {}", self.path.display()),
            Err(error) => eprintln!("failed to keep the control plane logs: {error}"),
        }
    }

    fn remove(&self) -> io::Result<()> {
        if !self.path.join(KEPT).exists() {
            return fs::remove_dir_all(&self.path);
        }
        for entry in fs::read_dir(&self.path)? {
            let path = entry?.path();
            if path.is_dir() {
                fs::remove_dir_all(path)?;
            } else if path.extension().is_none_or(|extension| extension != "log") {
                fs::remove_file(path)?;
            }
        }
        Ok(())
    }
}

impl Drop for EnvironmentDir {
    fn drop(&mut self) {
        if thread::panicking() {
            self.keep_logs();
        }
        // The system cleans up leftovers in its temporary directory.
        let _ = self.remove();
    }
}
