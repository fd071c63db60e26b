//! I/O errors with their paths and hints.

use std::{
    io,
    path::{Path, PathBuf},
};

use thiserror::Error;

/// The action after the commit.
pub(super) const COMMIT: &str = "replace";

/// The action after the last change: removing the journal.
pub(super) const REMOVE_JOURNAL: &str = "remove";

/// A failed read or write.
#[derive(Debug, Error)]
pub enum DiskError {
    /// An I/O error.
    #[error("failed to {action} {}: {}", path.display(), reason(source))]
    Io {
        /// The failed action, such as `write`.
        action: &'static str,
        /// The path.
        path: PathBuf,
        /// The cause.
        source: io::Error,
    },
    /// A file changed between planning and writing.
    #[error("{} changed while the command was running", path.display())]
    Changed {
        /// The file.
        path: PathBuf,
    },
    /// A file changed after a run was interrupted and before it could be completed.
    #[error("{} changed since an interrupted run staged its new content", path.display())]
    ChangedSinceInterruption {
        /// The file.
        path: PathBuf,
        /// Its staging file.
        staging: PathBuf,
    },
    /// A staging file was removed before it could be renamed.
    #[error("failed to replace {}: {} is missing", path.display(), staging.display())]
    StagingFileMissing {
        /// The file.
        path: PathBuf,
        /// Its staging file.
        staging: PathBuf,
    },
    /// An interrupted run must be recovered first.
    #[error("an interrupted run in {} must be completed or rolled back first", root.display())]
    Pending {
        /// The project.
        root: PathBuf,
    },
    /// Another kb-rs holds the journal.
    #[error("another kb-rs is running in {}", root.display())]
    Busy {
        /// The project.
        root: PathBuf,
    },
    /// The project belongs to an untrusted user.
    #[error("{} belongs to another user (uid {uid})", path.display())]
    Owner {
        /// The project.
        root: PathBuf,
        /// The file with that owner.
        path: PathBuf,
        /// The owner.
        uid: u32,
    },
    /// The journal is invalid.
    #[error("{} is invalid: {reason}", path.display())]
    Journal {
        /// The journal.
        path: PathBuf,
        /// The reason.
        reason: String,
    },
}

impl DiskError {
    pub(super) fn io(action: &'static str, path: &Path) -> impl FnOnce(io::Error) -> Self {
        move |source| Self::Io {
            action,
            path: path.to_path_buf(),
            source,
        }
    }

    /// Returns a hint for the user.
    pub fn help(&self) -> String {
        match self {
            Self::ChangedSinceInterruption { staging, .. } => format!(
                "merge {} into it, delete that staging file, and run the command again",
                staging.display()
            ),
            Self::Owner { root, .. } => format!(
                "if you trust this user, set KB_SAFE_DIRECTORY={} and run the command again",
                root.display()
            ),
            _ => self.fixed_help().to_owned(),
        }
    }

    fn fixed_help(&self) -> &'static str {
        match self {
            Self::Io { action: COMMIT, .. } => {
                "some files are already replaced; fix this and run any kb-rs command here to complete the run"
            }
            Self::Io {
                action: REMOVE_JOURNAL,
                ..
            } => "all changes are complete; remove it manually",
            Self::Io { source, .. } => match source.kind() {
                io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem => {
                    "nothing was changed; make the directory writable, or choose another one"
                }
                io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => {
                    "nothing was changed; free some space and run the command again"
                }
                _ => "nothing was changed; fix this and run the command again",
            },
            Self::ChangedSinceInterruption { .. } | Self::Pending { .. } => {
                "run a command without --dry-run and --diff, which recovers the interrupted run"
            }
            // Handled by `help`.
            Self::Owner { .. } => "",
            Self::Changed { .. } => "nothing was changed; run the command again",
            Self::Busy { .. } => "wait for it to finish and run the command again",
            Self::StagingFileMissing { .. } => {
                "some files are already replaced; restore the project from version control, delete .kb-rs-journal and all \
                 *.kb-rs-new files, and run the command again"
            }
            Self::Journal { .. } => {
                "it is the journal of an interrupted run; compare your files with version control, then delete it"
            }
        }
    }
}

/// Returns the system's message without the error number.
fn reason(error: &io::Error) -> String {
    let text = error.to_string();
    match text.find(" (os error") {
        Some(end) => text[..end].to_lowercase(),
        None => text,
    }
}
