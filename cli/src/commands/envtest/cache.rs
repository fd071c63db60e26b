//! The cache of installed versions.

use std::path::{Path, PathBuf};

use kb_envtest::{Binaries, Cache};

use crate::{
    ops::quoted,
    problem::{Failure, Problem},
    show::Printer,
};

/// The flag of the cache directory.
#[derive(Debug, clap::Args)]
pub(super) struct CacheArgs {
    /// Directory of installed versions, such as bin/k8s for a single project [default: `KB_CONTROL_PLANE_DIR`, otherwise the user cache]
    #[arg(long, value_name = "DIR")]
    pub(super) dir: Option<PathBuf>,
}

impl CacheArgs {
    /// Returns the cache.
    pub(super) fn cache(&self) -> Result<Cache, Failure> {
        let named = self.dir.as_ref().map(Cache::at);
        named.or_else(Cache::user).ok_or_else(|| {
            Problem::new(
                "no home directory for the cache of control planes",
                "pass --dir, or set KB_CONTROL_PLANE_DIR",
            )
            .into()
        })
    }

    /// Returns the directory of the version in use, of `--dir` or else of the user's cache. Never uses the project's bin/k8s without `--dir`:
    /// a cloned repository may contain untrusted binaries.
    pub(super) fn in_use(&self) -> Result<PathBuf, Failure> {
        if self.dir.is_none() {
            return Ok(Binaries::find_outside_project()?.dir().to_owned());
        }
        let cache = self.cache()?;
        let installed = cache.in_use().ok_or_else(|| {
            let dir = cache.dir().display();
            Problem::new(
                format!("no version is installed in {dir}"),
                format!("run `kb-rs envtest use --dir {}`", quoted(cache.dir())),
            )
        })?;
        Ok(installed.dir)
    }
}

/// Prints a note if tests in the working directory use another version than the one in `dir`.
pub(super) fn note_other_version(dir: &Path, printer: Printer) {
    if let Ok(found) = Binaries::find()
        && found.dir() != dir
    {
        printer.note(&format!(
            "tests in this directory use {}: KUBEBUILDER_ASSETS and the project's bin/k8s take precedence over the user cache",
            found.dir().display()
        ));
    }
}
