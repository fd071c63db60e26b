//! Where versions are installed, and where they come from.

use std::path::PathBuf;

use kb_envtest::{
    Cache,
    download::{Downloader, Index, Location},
};

use crate::problem::{Failure, Problem};

/// The folder of the installed versions.
#[derive(Debug, clap::Args)]
pub(super) struct CacheArgs {
    /// The folder of the installed versions, such as bin/k8s for one project alone [default: `KB_CONTROL_PLANE_DIR`, else the user's
    /// cache]
    #[arg(long, value_name = "DIR")]
    pub(super) dir: Option<PathBuf>,
}

impl CacheArgs {
    /// The folder.
    pub(super) fn cache(&self) -> Result<Cache, Failure> {
        let named = self.dir.as_ref().map(Cache::at);
        named.or_else(Cache::user).ok_or_else(|| {
            Problem::new(
                "there is no home folder to keep control planes in",
                "name a folder with --dir, or set KB_CONTROL_PLANE_DIR",
            )
            .into()
        })
    }
}

/// The index of what can be downloaded.
#[derive(Debug, clap::Args)]
pub(super) struct IndexArgs {
    /// The index of versions, for a mirror: a URL, or a file; links in it are relative to it [default: the one that the Kubernetes project
    /// publishes]
    #[arg(
        long,
        value_name = "URL",
        env = "KB_ENVTEST_INDEX",
        hide_env_values = true
    )]
    index: Option<String>,
}

impl IndexArgs {
    /// Reads it.
    pub(super) fn read(&self) -> Result<Index, Failure> {
        // A variable that is empty is one that is not set.
        let named = self.index.as_deref().filter(|index| !index.is_empty());
        let location = named.map(str::parse::<Location>).transpose();
        let location = location.map_err(|error| {
            let problem = Problem::new(error.to_string(), "correct --index or KB_ENVTEST_INDEX");
            Failure::usage(vec![problem])
        })?;
        Ok(Downloader::default().index(&location.unwrap_or_default())?)
    }
}
