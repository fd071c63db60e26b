//! Errors of downloads and removals, with hints.

use std::{
    io,
    path::{Path, PathBuf},
    time::Duration,
};

use super::Location;
use crate::{Platform, VersionSelector};

/// Error of a download or removal.
#[derive(Debug, thiserror::Error)]
pub enum DownloadError {
    /// The file is not an index.
    #[error("{location} is not an envtest release index: {problem}")]
    InvalidIndex {
        /// Location of the index.
        location: Location,
        /// Problem.
        problem: String,
    },
    /// The index has no matching release.
    #[error("no release {selector} for {platform} in {location}{alternatives}")]
    NoRelease {
        /// Requested version.
        selector: VersionSelector,
        /// Requested platform.
        platform: Platform,
        /// Location of the index.
        location: Location,
        /// Available alternatives, as the end of the sentence.
        alternatives: String,
    },
    /// The release is for another platform.
    #[error(
        "the binaries for {platform} do not run on this machine, which is {}",
        Platform::current()
    )]
    OtherPlatform {
        /// Platform of the release.
        platform: Platform,
    },
    /// An index entry is invalid.
    #[error("invalid index entry {name}: {problem}")]
    InvalidEntry {
        /// Name of the archive.
        name: String,
        /// Problem.
        problem: &'static str,
    },
    /// The official index lists a different checksum than when the release was published.
    #[error(
        "the SHA-512 of {name} in the index does not match the published release:\n  expected {known}\n  listed   {listed}"
    )]
    ChecksumChanged {
        /// Name of the archive.
        name: String,
        /// Embedded checksum.
        known: String,
        /// Checksum in the index.
        listed: String,
    },
    /// The connection failed.
    #[error("failed to connect to {url}: {problem}")]
    Unreachable {
        /// URL.
        url: String,
        /// Problem.
        problem: String,
    },
    /// Unexpected HTTP status.
    #[error("{url}: unexpected HTTP status {status}")]
    Status {
        /// URL.
        url: String,
        /// HTTP status code.
        status: u16,
    },
    /// The server stopped sending.
    #[error("{url}: no data received for {after:?}")]
    Stalled {
        /// URL.
        url: String,
        /// Timeout.
        after: Duration,
    },
    /// The connection closed early.
    #[error("{url}: connection closed after {received} bytes{}", of(*total))]
    Interrupted {
        /// URL.
        url: String,
        /// Bytes received, including earlier runs.
        received: u64,
        /// Total bytes, if known.
        total: Option<u64>,
    },
    /// The checksum of an archive does not match.
    #[error("SHA-512 mismatch for {location}:\n  expected {expected}\n  actual   {actual}")]
    ChecksumMismatch {
        /// Location of the archive.
        location: Location,
        /// Checksum in the index.
        expected: String,
        /// Checksum of the archive.
        actual: String,
    },
    /// The archive is invalid.
    #[error("invalid archive {location}: {problem}")]
    InvalidArchive {
        /// Location of the archive.
        location: Location,
        /// Problem.
        problem: String,
    },
    /// An I/O operation failed.
    #[error("failed to {action} {}: {source}", path.display())]
    File {
        /// File or directory.
        path: PathBuf,
        /// Operation, as a verb.
        action: &'static str,
        /// Cause.
        source: io::Error,
    },
    /// Another process uses the cache.
    #[error("another kb-rs envtest is running in {}", .0.display())]
    Busy(PathBuf),
    /// A directory was not installed by this crate or contains other files.
    #[error("{} {}", path.display(), describe_foreign(others))]
    Foreign {
        /// Directory.
        path: PathBuf,
        /// Files that were not installed.
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

    /// Returns a hint.
    pub fn help(&self) -> &'static str {
        match self {
            Self::InvalidIndex { .. } => {
                "check the index URL; a proxy may have returned a login page instead"
            }
            Self::NoRelease { .. } => {
                "run `kb-rs envtest list` to see available versions, or pass another --index"
            }
            Self::OtherPlatform { .. } => "choose a release for this platform",
            Self::InvalidEntry { .. } => "choose another version, or fix the index",
            Self::ChecksumChanged { .. } => {
                "the index or the archive may have been tampered with: report it to kubernetes-sigs/controller-tools and use another version, \
                 or pass a trusted --index"
            }
            Self::Unreachable { .. } => {
                "check the network; HTTPS_PROXY and NO_PROXY configure a proxy, --index selects a mirror"
            }
            Self::Status { status: 404, .. } => {
                "the index may be outdated or the URL wrong: check it, or pass another --index"
            }
            Self::Status { .. } => "try again later, or pass another --index",
            Self::Stalled { .. } | Self::Interrupted { .. } => {
                "run the command again to resume the download"
            }
            Self::ChecksumMismatch { .. } => {
                "the download was discarded: run the command again. If the error persists, do not use this archive and contact the \
                 operator of the server"
            }
            Self::InvalidArchive { .. } => {
                "nothing was installed: contact the publisher of the archive"
            }
            Self::File { action: "read", .. } => "check the path and its permissions",
            Self::File { .. } => "check permissions and free space, or choose another directory",
            Self::Busy(_) => "wait for it to finish, then run the command again",
            Self::Foreign { .. } => "inspect it and remove it manually",
        }
    }
}

fn of(total: Option<u64>) -> String {
    total.map_or_else(String::new, |total| format!(" of {total}"))
}

fn describe_foreign(others: &[String]) -> String {
    if others.is_empty() {
        return "was not installed by kb-rs envtest".to_owned();
    }
    format!("contains other files: {}", others.join(", "))
}
