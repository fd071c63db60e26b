//! The record of a run under way, so that one that is killed can be finished or undone.
//!
//! It is a file in the project's root that exists only while files are being changed. First it lists what is staged; the word
//! `commit` behind the list is the point of no return. The file is locked while its run lives, so a second kb-rs can tell a run
//! under way from one that died.

use std::{
    fs::{self, File, OpenOptions, TryLockError},
    io::{self, Seek, Write},
    path::{Path, PathBuf},
};

use serde::{Deserialize, Serialize};

use super::{DiskError, error::END, read::read_bounded};
use crate::plan::RelPath;

/// The journal's name in the project's root.
pub const JOURNAL: &str = ".kb-rs-journal";

/// What a run is about to do.
#[derive(Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Record {
    /// Folders that did not exist, outermost first.
    pub(super) folders: Vec<RelPath>,
    /// The files, in the order in which they are put in place.
    pub(super) files: Vec<RecordedFile>,
}

/// A file that the run changes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct RecordedFile {
    /// The file.
    pub(super) path: RelPath,
    /// The fingerprint of its text before; none, if it is new. What is no longer so was changed by somebody else since.
    pub(super) before: Option<u64>,
    /// Whether it goes: then nothing is staged for it.
    #[serde(default)]
    pub(super) remove: bool,
}

/// Tells one text from another (FNV-1a), the same in every version of kb-rs.
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

/// How far the run got.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Progress {
    /// It had not begun to change anything.
    Begun,
    /// It was staging files: to be undone.
    Staging(Record),
    /// It was putting files in place: to be finished.
    Committed(Record),
}

impl Journal {
    /// Starts a new journal; `recover` has dealt with an old one before.
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
            // Another run took it for abandoned before it was locked.
            Err(DiskError::Busy {
                root: root.to_path_buf(),
            })
        }
    }

    /// Opens the journal of a run that died; none, if there is no such run.
    pub(super) fn abandoned(root: &Path) -> Result<Option<Self>, DiskError> {
        let path = root.join(JOURNAL);
        match open_regular(&path) {
            Ok(Some(file)) => {
                let journal = Self { path, file };
                journal.lock(root)?;
                // Its run may have ended, and removed it, between the two.
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
            // Some network file systems have no locks; the journal's existence must do there.
            Ok(()) | Err(TryLockError::Error(_)) => Ok(()),
        }
    }

    /// Whether the open file is still the one at its path. Windows removes no file that is open.
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

    /// Writes down what will be staged, before anything is.
    pub(super) fn record(&mut self, record: &Record) -> Result<(), DiskError> {
        let line = serde_json::to_string(record).expect("a list of paths is JSON");
        self.write(&line)
    }

    /// The point of no return.
    pub(super) fn commit(&mut self) -> Result<(), DiskError> {
        self.write("\ncommit\n")
    }

    fn write(&mut self, text: &str) -> Result<(), DiskError> {
        self.file
            .write_all(text.as_bytes())
            .map_err(DiskError::io("write", &self.path))
    }

    /// How far the run got.
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
            // The record is written at once and before anything else: half of it means that nothing was staged.
            Err(error) if error.is_eof() => Ok(Progress::Begun),
            Err(error) => Err(self.refused(error.to_string())),
        }
    }

    /// An error about what the journal says.
    pub(super) fn refused(&self, reason: String) -> DiskError {
        DiskError::Journal {
            path: self.path.clone(),
            reason,
        }
    }

    /// Ends the run: the journal goes.
    pub(super) fn end(self) -> Result<(), DiskError> {
        let Self { path, file } = self;
        // Windows removes no file that is open.
        drop(file);
        fs::remove_file(&path).map_err(DiskError::io(END, &path))
    }
}

/// Opens a file for reading and writing, but no link, device or pipe; none, if it is one.
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
