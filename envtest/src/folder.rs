//! The folder of one control plane: keys, data and logs. Only its owner can read it.
//!
//! It goes when it is dropped. On failure the logs stay. A process that is killed drops nothing, and neither does one that keeps an
//! environment in a `static`: for them a shell waits on a pipe, which closes at the process' end, and removes the folder.

use std::{
    fs, io,
    path::{Path, PathBuf},
    thread,
};

use crate::{Error, process::Watcher};

/// Says that the logs are to stay.
const KEPT: &str = "kept";

/// Removes the folder, after the servers have gone: they may still write for a moment.
const SWEEP: &str = r#"
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
pub(crate) struct Folder {
    path: PathBuf,
    _sweeper: Watcher,
}

impl Folder {
    pub(crate) fn new() -> Result<Self, Error> {
        let failed = |path, source| Error::File {
            path,
            action: "made",
            source,
        };
        let mut builder = tempfile::Builder::new();
        builder.prefix("kb-envtest-");
        #[cfg(unix)]
        builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o700));
        let temporary = builder.tempdir();
        let temporary = temporary.map_err(|source| failed(std::env::temp_dir(), source))?;
        let sweeper = Watcher::start(SWEEP, temporary.path());
        let sweeper = sweeper.map_err(|source| failed(temporary.path().to_owned(), source))?;
        Ok(Self {
            path: temporary.keep(),
            _sweeper: sweeper,
        })
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Leaves the logs when all else is removed, and says where they are.
    #[expect(clippy::print_stderr, reason = "it is for who runs the tests")]
    pub(crate) fn keep_logs(&self) {
        let marker = self.path.join(KEPT);
        if marker.exists() {
            return;
        }
        match fs::write(marker, "") {
            Ok(()) => eprintln!(
                "The logs of the control plane are in {}",
                self.path.display()
            ),
            Err(error) => eprintln!("The logs of the control plane cannot be kept: {error}"),
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

impl Drop for Folder {
    fn drop(&mut self) {
        if thread::panicking() {
            self.keep_logs();
        }
        // What stays in the way is removed by whoever cleans the folder of temporary files.
        let _ = self.remove();
    }
}
