//! What can go wrong with files: always with the path, and with what to do.

use std::{
    io,
    path::{Path, PathBuf},
};

use thiserror::Error;

/// The action past the point of no return.
pub(super) const PLACE: &str = "put in place";

/// The action after everything is done.
pub(super) const END: &str = "remove";

/// A failed reading or writing.
#[derive(Debug, Error)]
pub enum DiskError {
    /// The system refused.
    #[error("cannot {action} {}: {}", path.display(), reason(source))]
    Io {
        /// What was tried: `write`, `rename`.
        action: &'static str,
        /// On what.
        path: PathBuf,
        /// The system's answer.
        source: io::Error,
    },
    /// A file changed between the reading and the writing.
    #[error("{} changed while the command ran", path.display())]
    Changed {
        /// The file.
        path: PathBuf,
    },
    /// A file changed after a run that was interrupted, and before it could be completed.
    #[error("{} changed since a run of kb-rs was interrupted that was about to change it", path.display())]
    ChangedSince {
        /// The file.
        path: PathBuf,
        /// Where that run's text for it waits.
        staged: PathBuf,
    },
    /// The new content of a file was removed before it could be put in place.
    #[error("{} cannot be put in place: {} is gone", path.display(), staging.display())]
    Lost {
        /// The file.
        path: PathBuf,
        /// Where its new content was.
        staging: PathBuf,
    },
    /// An interrupted run waits to be completed.
    #[error("a run of kb-rs was interrupted in {}, and has to be completed or undone first", root.display())]
    Pending {
        /// The project.
        root: PathBuf,
    },
    /// Another kb-rs is at work in this project.
    #[error("another kb-rs is changing {}", root.display())]
    Busy {
        /// The project.
        root: PathBuf,
    },
    /// The project belongs to somebody whom the user did not choose.
    #[error("{} belongs to another user (uid {uid})", path.display())]
    Owner {
        /// The project.
        root: PathBuf,
        /// What is that user's.
        path: PathBuf,
        /// The user.
        uid: u32,
    },
    /// The record of an interrupted run cannot be understood.
    #[error("{} cannot be understood: {reason}", path.display())]
    Journal {
        /// The record.
        path: PathBuf,
        /// Why.
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

    /// What the user can do.
    pub fn help(&self) -> String {
        match self {
            Self::ChangedSince { staged, .. } => format!(
                "take over what you want from {}, delete that file, then run the command again",
                staged.display()
            ),
            Self::Owner { root, .. } => format!(
                "if you trust this user with your account, set KB_SAFE_DIRECTORY={} and run the command again",
                root.display()
            ),
            _ => self.fixed_help().to_owned(),
        }
    }

    fn fixed_help(&self) -> &'static str {
        match self {
            Self::Io { action: PLACE, .. } => {
                "some files are in place already; mend this, then run any kb-rs command here to complete the rest"
            }
            Self::Io { action: END, .. } => "everything else is done; remove it by hand",
            Self::Io { source, .. } => match source.kind() {
                io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem => {
                    "nothing was changed; make the folder writable for you, or choose another one"
                }
                io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => {
                    "nothing was changed; free some space, then run the command again"
                }
                _ => "nothing was changed; mend this, then run the command again",
            },
            Self::ChangedSince { .. } | Self::Pending { .. } => {
                "run a command without --dry-run and --diff: it does that before anything else"
            }
            // Its help names the folder.
            Self::Owner { .. } => "",
            Self::Changed { .. } => "nothing was changed; run the command again",
            Self::Busy { .. } => "wait for it to end, then run the command again",
            Self::Lost { .. } => {
                "some files are in place already; restore the project from version control, delete .kb-rs-journal and every file that \
                 ends in .kb-rs-new, then run the command again"
            }
            Self::Journal { .. } => {
                "it records a run that was interrupted; compare your files with version control, then delete it"
            }
        }
    }
}

/// The system's words without the error number.
fn reason(error: &io::Error) -> String {
    let text = error.to_string();
    match text.find(" (os error") {
        Some(end) => text[..end].to_lowercase(),
        None => text,
    }
}
