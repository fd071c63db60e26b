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
  The version that fits the project, for all tests on this machine:
    kb-rs envtest use

  Another version from now on, and a variable for tools that ask for one:
    eval \"$(kb-rs envtest use 1.34 --print env)\"

  From a mirror, into the project:
    kb-rs envtest use 1.36.2 --index https://mirror.example/envtest-releases.yaml --dir bin/k8s";

/// Choose the version that tests run against, and download it if need be
///
/// An archive is held against the SHA-512 in the index, and a version is there as a whole or not at all. A download that was cut off is
/// continued. Proxies are taken from `HTTPS_PROXY` and `NO_PROXY`, authorities from the machine. An installed version that will do is taken
/// without a look at the index, unless it is `latest` that is asked for.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct UseArgs {
    /// 1.36 for a patch release of it, 1.36.2 for just that one, or latest [default: that of the project's k8s-openapi, else latest]
    version: Option<VersionSelector>,
    /// What to print in the end
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
    /// The version, and where it is
    Overview,
    /// The folder alone
    Path,
    /// A line for a shell that sets `KUBEBUILDER_ASSETS`
    Env,
}

/// Runs the command.
pub(super) fn run(args: &UseArgs) -> Result<(), Failure> {
    let printer = args.format.printer();
    let cache = args.cache.cache()?;
    let wanted = match args.version {
        Some(wanted) => wanted,
        None => default_version(printer)?,
    };
    let present = (wanted != VersionSelector::Latest).then(|| cache.find(wanted));
    let (installed, downloaded) = match present.flatten() {
        Some(installed) => (installed, false),
        None => download(args, wanted, &cache, printer)?,
    };
    cache.set_in_use(&installed)?;
    let folder = &installed.dir;
    match args.print {
        Print::Overview => printer.line(&format!(
            "{} is in use: {}",
            installed.version,
            folder.display()
        )),
        Print::Path => printer.result(&folder.display().to_string()),
        Print::Env => printer.result(&format!("export KUBEBUILDER_ASSETS={}", quoted(folder))),
    }
    printer.document(&json!({
        "version": installed.version.to_string(),
        "path": folder,
        "downloaded": downloaded,
    }));
    note_other_version(folder, printer);
    Ok(())
}

/// Returns the version of the project's k8s-openapi, or the latest.
fn default_version(printer: Printer) -> Result<VersionSelector, Failure> {
    let Some(root) = project::root()? else {
        return Ok(VersionSelector::Latest);
    };
    let manifest = disk::read_optional(&root.join("Cargo.toml"))?.unwrap_or_default();
    let Some(wanted) = kubernetes_version(&manifest) else {
        return Ok(VersionSelector::Latest);
    };
    printer.note(&format!(
        "{wanted} is the version of k8s-openapi in Cargo.toml"
    ));
    Ok(wanted)
}

fn download(
    args: &UseArgs,
    wanted: VersionSelector,
    cache: &Cache,
    printer: Printer,
) -> Result<(Installation, bool), Failure> {
    let index = args.index.read()?;
    let release = index.find(wanted, &Platform::current())?;
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
            Progress::Unpacking => bar.say("unpacking"),
        })?;
    Ok((installed, true))
}
