//! Downloads the binaries from the envtest index of the Kubernetes project or a mirror, and removes them.
//!
//! Archives are downloaded into the cache, resuming interrupted downloads, verified against their SHA-512, unpacked into a temporary directory
//! and renamed into place. Everything here blocks: call it outside of an async runtime or with `spawn_blocking`.
//!
//! ```no_run
//! # fn example() -> Result<(), Box<dyn std::error::Error>> {
//! use kb_envtest::{Cache, Platform, download::{Downloader, Location}};
//!
//! let downloader = Downloader::default();
//! let index = downloader.index(&Location::default())?;
//! let release = index.find("1.36".parse()?, &Platform::current())?;
//! let cache = Cache::user().ok_or("no home directory")?;
//! let installed = downloader.install(release, &cache, &mut |_| {})?;
//! cache.set_in_use(&installed)?;
//! # Ok(())
//! # }
//! ```

mod archive;
mod downloader;
mod error;
mod http;
mod index;
mod known_checksums;
mod location;
mod lock;
mod partial;
mod receipt;
mod removal;

pub use downloader::{Downloader, Progress};
pub use error::DownloadError;
pub use index::{Index, Release};
pub use location::{Location, LocationError};
pub use removal::{clean_up, is_removable, leftovers, remove};
