//! Where versions are installed, and where they come from.

use std::path::{Path, PathBuf};

use kb_envtest::{
    Binaries, Cache,
    download::{Downloader, Index, Location},
};

use crate::{
    ops::quoted,
    problem::{Failure, Problem},
    show::Printer,
};

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

    /// The folder of the version in use: in the folder that is named, or else the user's own. What lies in bin/k8s of the project is taken
    /// only by name, as it may have come with a clone.
    pub(super) fn in_use(&self) -> Result<PathBuf, Failure> {
        if self.dir.is_none() {
            return Ok(Binaries::of_user()?.folder().to_owned());
        }
        let cache = self.cache()?;
        let installed = cache.in_use().ok_or_else(|| {
            let place = cache.folder().display();
            Problem::new(
                format!("no version is installed in {place}"),
                format!("run `kb-rs envtest use --dir {}`", quoted(cache.folder())),
            )
        })?;
        Ok(installed.folder)
    }
}

/// Notes that tests which are started here take another version than the one in `folder`.
pub(super) fn note_overruled(folder: &Path, printer: Printer) {
    if let Ok(found) = Binaries::find()
        && found.folder() != folder
    {
        printer.note(&format!(
            "tests that are started here take {}: KUBEBUILDER_ASSETS comes first, then bin/k8s of the project, then the user's cache",
            found.folder().display()
        ));
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
