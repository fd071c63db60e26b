//! The journal of a run, from which the next run completes or rolls back a killed one.
//!
//! It is a file in the project root that exists only during a run. It lists the files to stage, followed by `commit`
//! once all are staged. The run holds a lock on it, which distinguishes a run in progress from a killed one.

use std::{
    fs::{self, File, OpenOptions, TryLockError},
    io::{self, Seek, Write},
    path::{Path, PathBuf},
};

use serde::{Deserialize, Serialize};

use super::{DiskError, error::REMOVE_JOURNAL, read::read_bounded};
use crate::plan::RelPath;

/// File name of the journal in the project root.
pub const JOURNAL: &str = ".kb-rs-journal";

/// Content of the journal.
#[derive(Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Record {
    /// Directories to create, outermost first.
    #[serde(rename = "folders")]
    pub(super) directories: Vec<RelPath>,
    /// Files to change, in order.
    pub(super) files: Vec<JournaledFile>,
}

/// A file to change.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct JournaledFile {
    /// The file.
    pub(super) path: RelPath,
    /// Fingerprint of the previous text, or `None` for a new file. A mismatch means that somebody else changed it.
    pub(super) before: Option<u64>,
    /// Whether the file is removed, without a staging file.
    #[serde(default)]
    pub(super) remove: bool,
}

/// Returns the FNV-1a hash of a text, which is stable across versions of kb-rs.
pub(super) fn fingerprint(text: &str) -> u64 {
    text.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
    })
}

/// An open, locked journal.
pub(super) struct Journal {
    path: PathBuf,
    file: File,
}

/// Progress of an interrupted run.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Progress {
    /// Nothing was staged.
    Begun,
    /// Some files were staged: roll back.
    Staging(Record),
    /// All files were staged: complete.
    Committed(Record),
}

impl Journal {
    /// Creates the journal; an existing one belongs to another run, since `recover` comes first.
    pub(super) fn begin(root: &Path) -> Result<Self, DiskError> {
        let path = root.join(JOURNAL);
        let file = OpenOptions::new()
            .read(true)
            .write(true)
            .create_new(true)
            .open(&path)
            .map_err(|error| match error.kind() {
                io::ErrorKind::AlreadyExists => DiskError::Busy {
                    root: root.to_path_buf(),
                },
                _ => DiskError::io("write", &path)(error),
            })?;
        let journal = Self { path, file };
        journal.lock(root)?;
        if journal.is_at_its_path() {
            Ok(journal)
        } else {
            // Another run recovered it before it was locked.
            Err(DiskError::Busy {
                root: root.to_path_buf(),
            })
        }
    }

    /// Opens the journal of an interrupted run, if any.
    pub(super) fn open_interrupted(root: &Path) -> Result<Option<Self>, DiskError> {
        let path = root.join(JOURNAL);
        match open_regular(&path) {
            Ok(Some(file)) => {
                let journal = Self { path, file };
                journal.lock(root)?;
                // The run may have finished and removed it before it was locked.
                Ok(Some(journal).filter(Self::is_at_its_path))
            }
            Ok(None) => Err(DiskError::Journal {
                path,
                reason: "it is not a regular file".to_owned(),
            }),
            Err(error) => match error.kind() {
                io::ErrorKind::NotFound | io::ErrorKind::NotADirectory => Ok(None),
                _ => Err(DiskError::io("read", &path)(error)),
            },
        }
    }

    fn lock(&self, root: &Path) -> Result<(), DiskError> {
        match self.file.try_lock() {
            Err(TryLockError::WouldBlock) => Err(DiskError::Busy {
                root: root.to_path_buf(),
            }),
            // Some network file systems do not support locks; the existence of the journal has to suffice.
            Ok(()) | Err(TryLockError::Error(_)) => Ok(()),
        }
    }

    /// Returns whether the open file is still at its path. Windows does not remove open files.
    fn is_at_its_path(&self) -> bool {
        #[cfg(unix)]
        {
            use std::os::unix::fs::MetadataExt;
            let identity = |metadata: fs::Metadata| (metadata.dev(), metadata.ino());
            let open = self.file.metadata().map(identity);
            let at_path = fs::symlink_metadata(&self.path).map(identity);
            matches!((open, at_path), (Ok(open), Ok(at_path)) if open == at_path)
        }
        #[cfg(not(unix))]
        true
    }

    /// Writes the files to stage.
    pub(super) fn write_record(&mut self, record: &Record) -> Result<(), DiskError> {
        let line = serde_json::to_string(record).expect("a list of paths is JSON");
        self.write(&line)
    }

    /// Marks all files as staged; from here on the run is completed, not rolled back.
    pub(super) fn commit(&mut self) -> Result<(), DiskError> {
        self.write("\ncommit\n")
    }

    fn write(&mut self, text: &str) -> Result<(), DiskError> {
        self.file
            .write_all(text.as_bytes())
            .map_err(DiskError::io("write", &self.path))
    }

    /// Reads the progress of the interrupted run.
    pub(super) fn progress(&mut self) -> Result<Progress, DiskError> {
        let text = self
            .file
            .rewind()
            .and_then(|()| read_bounded(&self.file))
            .map_err(DiskError::io("read", &self.path))?;
        let text = String::from_utf8_lossy(&text);
        let (line, rest) = text.split_once('\n').unwrap_or((&text, ""));
        match serde_json::from_str::<Record>(line) {
            Ok(record) if rest == "commit\n" => Ok(Progress::Committed(record)),
            Ok(record) => Ok(Progress::Staging(record)),
            // Nothing is staged before the record is complete.
            Err(error) if error.is_eof() => Ok(Progress::Begun),
            Err(error) => Err(self.invalid(error.to_string())),
        }
    }

    /// Returns the error of an invalid journal.
    pub(super) fn invalid(&self, reason: String) -> DiskError {
        DiskError::Journal {
            path: self.path.clone(),
            reason,
        }
    }

    /// Removes the journal.
    pub(super) fn remove(self) -> Result<(), DiskError> {
        let Self { path, file } = self;
        // Windows does not remove open files.
        drop(file);
        fs::remove_file(&path).map_err(DiskError::io(REMOVE_JOURNAL, &path))
    }
}

/// Opens a regular file for reading and writing; returns `None` for links, devices and pipes.
fn open_regular(path: &Path) -> io::Result<Option<File>> {
    if !fs::symlink_metadata(path)?.is_file() {
        return Ok(None);
    }
    let mut options = OpenOptions::new();
    options.read(true).write(true);
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt;
        let flags = rustix::fs::OFlags::NOFOLLOW | rustix::fs::OFlags::NONBLOCK;
        options.custom_flags(flags.bits().cast_signed());
    }
    options.open(path).map(Some)
}
