//! Gets the binaries from the index that the Kubernetes project publishes for envtest, or from a mirror of it, and removes them again.
//!
//! An archive is downloaded beside the versions that are installed, continued where an earlier run was cut off, held against its SHA-512,
//! unpacked into a folder of its own, and put in place as a whole. Everything here blocks; call it outside of an async runtime, or
//! on a thread that may wait.
//!
//! ```no_run
//! # fn example() -> Result<(), Box<dyn std::error::Error>> {
//! use kb_envtest::{Cache, Platform, download::{Downloader, Location}};
//!
//! let downloader = Downloader::default();
//! let index = downloader.index(&Location::default())?;
//! let release = index.find("1.36".parse()?, &Platform::current())?;
//! let cache = Cache::user().ok_or("there is no home folder")?;
//! let installed = downloader.install(release, &cache, &mut |_| {})?;
//! cache.choose(&installed)?;
//! # Ok(())
//! # }
//! ```

mod archive;
mod downloader;
mod error;
mod http;
mod index;
mod known;
mod location;
mod lock;
mod partial;
mod receipt;
mod removal;

pub use downloader::{Downloader, Progress};
pub use error::DownloadError;
pub use index::{Index, Release};
pub use location::{Location, LocationError};
pub use removal::{is_removable, leftovers, remove, sweep};
