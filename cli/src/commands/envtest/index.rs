//! The index of versions that can be downloaded.

use kb_envtest::download::{Downloader, Index, Location};

use crate::problem::{Failure, Problem};

/// The flag of the index.
#[derive(Debug, clap::Args)]
pub(super) struct IndexArgs {
    /// URL or path of a mirror's version index; relative links are resolved against it [default: the Kubernetes project's index]
    #[arg(
        long,
        value_name = "URL",
        env = "KB_ENVTEST_INDEX",
        hide_env_values = true
    )]
    index: Option<String>,
}

impl IndexArgs {
    /// Fetches the index.
    pub(super) fn read(&self) -> Result<Index, Failure> {
        // An empty variable counts as unset.
        let named = self.index.as_deref().filter(|index| !index.is_empty());
        let location = named.map(str::parse::<Location>).transpose();
        let location = location.map_err(|error| {
            let problem = Problem::new(error.to_string(), "fix --index or KB_ENVTEST_INDEX");
            Failure::usage(vec![problem])
        })?;
        Ok(Downloader::default().index(&location.unwrap_or_default())?)
    }
}
