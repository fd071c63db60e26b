//! `kb-rs envtest use`

use kb_envtest::{
    Cache, Installation, Platform, VersionSelector,
    download::{Downloader, Progress},
};
use serde_json::json;

use super::{
    super::project,
    cache::{CacheArgs, note_other_version},
    format::FormatArgs,
    index::IndexArgs,
};
use crate::{
    disk,
    ops::{envtest::kubernetes_version, quoted},
    problem::Failure,
    show::Printer,
};

const EXAMPLES: &str = "\
Examples:
  # Use the project's Kubernetes version for all tests on this machine
  kb-rs envtest use

  # Switch to another version, and set KUBEBUILDER_ASSETS for other tools
  eval \"$(kb-rs envtest use 1.34 --print env)\"

  # Install a version from a mirror into the project
  kb-rs envtest use 1.36.2 --index https://mirror.example/envtest-releases.yaml --dir bin/k8s";

/// Select the version for tests, and download it if necessary
///
/// Archives are verified against the SHA-512 digest in the index and installed atomically. Interrupted downloads are resumed. Proxy settings
/// are read from `HTTPS_PROXY` and `NO_PROXY`, and certificate authorities from the system trust store. If a matching version is installed,
/// the index is not fetched, except for `latest`.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct UseArgs {
    /// Version: 1.36 (any patch release), 1.36.2 or latest [default: Kubernetes version of the project's k8s-openapi feature, otherwise latest]
    version: Option<VersionSelector>,
    /// What to print after installation
    #[arg(short, long, value_enum, default_value = "overview")]
    print: Print,
    #[command(flatten)]
    index: IndexArgs,
    #[command(flatten)]
    cache: CacheArgs,
    #[command(flatten)]
    pub(super) format: FormatArgs,
}

/// The output of the command.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Print {
    /// Version and directory
    Overview,
    /// Directory only
    Path,
    /// Shell command that sets `KUBEBUILDER_ASSETS`
    Env,
}

/// Runs the command.
pub(super) fn run(args: &UseArgs) -> Result<(), Failure> {
    let printer = args.format.printer();
    let cache = args.cache.cache()?;
    let selector = match args.version {
        Some(selector) => selector,
        None => default_version(printer)?,
    };
    let present = (selector != VersionSelector::Latest).then(|| cache.find(selector));
    let (installed, downloaded) = match present.flatten() {
        Some(installed) => (installed, false),
        None => download(args, selector, &cache, printer)?,
    };
    cache.set_in_use(&installed)?;
    let dir = &installed.dir;
    match args.print {
        Print::Overview => printer.line(&format!(
            "{} is in use: {}",
            installed.version,
            dir.display()
        )),
        Print::Path => printer.result(&dir.display().to_string()),
        Print::Env => printer.result(&format!("export KUBEBUILDER_ASSETS={}", quoted(dir))),
    }
    printer.document(&json!({
        "version": installed.version.to_string(),
        "path": dir,
        "downloaded": downloaded,
    }));
    note_other_version(dir, printer);
    Ok(())
}

/// Returns the Kubernetes version of the project's k8s-openapi feature, or the latest.
fn default_version(printer: Printer) -> Result<VersionSelector, Failure> {
    let Some(root) = project::root()? else {
        return Ok(VersionSelector::Latest);
    };
    let manifest = disk::read_optional(&root.join("Cargo.toml"))?.unwrap_or_default();
    let Some(selector) = kubernetes_version(&manifest) else {
        return Ok(VersionSelector::Latest);
    };
    printer.note(&format!(
        "using {selector}, the Kubernetes version of the k8s-openapi feature in Cargo.toml"
    ));
    Ok(selector)
}

fn download(
    args: &UseArgs,
    selector: VersionSelector,
    cache: &Cache,
    printer: Printer,
) -> Result<(Installation, bool), Failure> {
    let index = args.index.read()?;
    let release = index.find(selector, &Platform::current())?;
    if let Some(installed) = cache.find(VersionSelector::Exact(release.version)) {
        return Ok((installed, false));
    }
    printer.note(&format!(
        "downloading {} for {}",
        release.version, release.platform
    ));
    let bar = printer.bar();
    let installed =
        Downloader::default().install(release, cache, &mut |progress| match progress {
            Progress::Waiting => bar.say("waiting for another kb-rs envtest"),
            Progress::Downloading { received, total } => bar.at(received, total),
            Progress::Verifying => bar.say("verifying the checksum"),
            Progress::Unpacking => bar.say("extracting"),
        })?;
    Ok((installed, true))
}
