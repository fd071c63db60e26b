//! Why binaries could not be downloaded or removed: always with the thing it is about, and with what to do.

use std::{
    io,
    path::{Path, PathBuf},
    time::Duration,
};

use super::Location;
use crate::{Platform, Wanted};

/// Why binaries could not be downloaded or removed.
#[derive(Debug, thiserror::Error)]
pub enum DownloadError {
    /// What was read is not an index.
    #[error("{location} is not an index of envtest releases: {problem}")]
    NoIndex {
        /// Where it was read.
        location: Location,
        /// What is wrong with it.
        problem: String,
    },
    /// The index has nothing that fits.
    #[error("there is no {wanted} for {platform} in {location}{instead}")]
    NoRelease {
        /// What was asked for.
        wanted: Wanted,
        /// What it is to run on.
        platform: Platform,
        /// The index.
        location: Location,
        /// What there is, as the end of the sentence.
        instead: String,
    },
    /// The release runs on other machines.
    #[error(
        "the binaries for {platform} do not run on this machine, which is {}",
        Platform::current()
    )]
    OtherPlatform {
        /// What they run on.
        platform: Platform,
    },
    /// The index lacks what is needed of an archive.
    #[error("the index says too little of {name}: {problem}")]
    Malformed {
        /// The archive.
        name: String,
        /// What is wrong.
        problem: &'static str,
    },
    /// The published index has another sum than when this release was published.
    #[error(
        "the index has another SHA-512 for {name} than the one it was published with:\n  published {known}\n  listed {listed}"
    )]
    Replaced {
        /// The archive.
        name: String,
        /// Its sum.
        known: String,
        /// That of the index.
        listed: String,
    },
    /// No connection, or none that can be trusted.
    #[error("{url} cannot be reached: {problem}")]
    Unreachable {
        /// What was asked for.
        url: String,
        /// Why not.
        problem: String,
    },
    /// The server has another answer.
    #[error("{url}: the server answers {status}")]
    Status {
        /// What was asked for.
        url: String,
        /// The number of the answer.
        status: u16,
    },
    /// The server is silent.
    #[error("{url}: nothing came for {after:?}")]
    Stalled {
        /// What was asked for.
        url: String,
        /// How long it was waited for.
        after: Duration,
    },
    /// The connection ended too early.
    #[error("{url}: the connection was cut after {received} bytes{}", of(*total))]
    Cut {
        /// What was asked for.
        url: String,
        /// What is there, with what earlier runs have received.
        received: u64,
        /// What there should be.
        total: Option<u64>,
    },
    /// The archive is not the one of the index.
    #[error("{location} has the wrong SHA-512:\n  expected {expected}\n  received {actual}")]
    WrongSum {
        /// The archive.
        location: Location,
        /// That of the index.
        expected: String,
        /// That of the archive.
        actual: String,
    },
    /// The archive cannot be unpacked, or should not be.
    #[error("{location} is not an archive of a control plane: {problem}")]
    Archive {
        /// The archive.
        location: Location,
        /// What is wrong with it.
        problem: String,
    },
    /// A file or folder could not be read or written.
    #[error("{} cannot be {action}: {source}", path.display())]
    File {
        /// The file or folder.
        path: PathBuf,
        /// What was tried.
        action: &'static str,
        /// Why not.
        source: io::Error,
    },
    /// Another run is at work.
    #[error("another kb-rs envtest is at work in {}", .0.display())]
    Busy(PathBuf),
    /// Something that was not installed here is in the way, or was to be removed.
    #[error("{} was not installed by kb-rs envtest{}", path.display(), among(others))]
    Foreign {
        /// The folder.
        path: PathBuf,
        /// What in it is not of the installation.
        others: Vec<String>,
    },
}

impl DownloadError {
    pub(super) fn file(action: &'static str, path: &Path) -> impl FnOnce(io::Error) -> Self {
        move |source| Self::File {
            path: path.to_owned(),
            action,
            source,
        }
    }

    /// What to do about it.
    pub fn help(&self) -> &'static str {
        match self {
            Self::NoIndex { .. } => {
                "nothing was changed; check the address of the index. A page of a proxy or a login may have come instead"
            }
            Self::NoRelease { .. } => {
                "`kb-rs envtest list` shows what there is; ask for one of those, or name another index"
            }
            Self::OtherPlatform { .. } => "choose the release for this machine",
            Self::Malformed { .. } => "ask for another version, or mend the index",
            Self::Replaced { .. } => {
                "nothing was downloaded. The index or the archive was tampered with: report it to kubernetes-sigs/controller-tools, and use \
                 another version, or an index that you trust with --index"
            }
            Self::Unreachable { .. } => {
                "check the network; a proxy is taken from HTTPS_PROXY and NO_PROXY, a mirror from --index"
            }
            Self::Status { status: 404, .. } => {
                "the index may be out of date, or the address wrong: check it, or name another index"
            }
            Self::Status { .. } => "nothing was changed; try again later, or name another index",
            Self::Stalled { .. } | Self::Cut { .. } => {
                "what has come is kept: run the command again, and it goes on from there"
            }
            Self::WrongSum { .. } => {
                "nothing was installed, and what has come was removed: run the command again. If it stays so, the archive or the index has \
                 been changed: do not use it, and tell who runs the server"
            }
            Self::Archive { .. } => "nothing was installed; tell who made the archive",
            Self::File { action: "read", .. } => "check the path, and that you may read it",
            Self::File { .. } => {
                "make it writable for you, free some space, or choose another folder"
            }
            Self::Busy(_) => "wait until it has ended, then run the command again",
            Self::Foreign { .. } => "look at it, and move it away by hand if nobody needs it",
        }
    }
}

fn of(total: Option<u64>) -> String {
    total.map_or_else(String::new, |total| format!(" of {total}"))
}

fn among(others: &[String]) -> String {
    if others.is_empty() {
        return String::new();
    }
    format!(" alone: it also has {}", others.join(", "))
}
