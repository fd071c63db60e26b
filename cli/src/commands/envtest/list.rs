//! `kb-rs envtest list`

use kb_envtest::Platform;

use super::{cache::CacheArgs, format::FormatArgs, index::IndexArgs};
use crate::{
    ops::envtest::{Listing, Platforms},
    problem::Failure,
};

const EXAMPLES: &str = "\
Examples:
  What can be used, and what is installed:
    kb-rs envtest list

  What is installed, without a network:
    kb-rs envtest list --installed-only";

/// List the versions that are installed, and those that can be
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct ListArgs {
    /// List only what is installed; needs no network
    #[arg(long)]
    installed_only: bool,
    /// What the versions are to run on, as OS/ARCH, or `all` [default: this machine]
    #[arg(long, value_name = "PLATFORM", conflicts_with = "installed_only")]
    platform: Option<Platforms>,
    #[command(flatten)]
    index: IndexArgs,
    #[command(flatten)]
    cache: CacheArgs,
    #[command(flatten)]
    pub(super) format: FormatArgs,
}

/// Runs the command.
pub(super) fn run(args: &ListArgs) -> Result<(), Failure> {
    let cache = args.cache.cache()?;
    let mut listing = Listing::new(&cache.installed(), cache.in_use().as_ref());
    if !args.installed_only {
        let index = args.index.read()?;
        let here = || Platforms::One(Platform::current());
        let platforms = args.platform.clone().unwrap_or_else(here);
        listing.add(&index, &platforms);
    }
    let printer = args.format.printer();
    printer.document(&listing);
    if listing.is_empty() {
        printer.note(&format!("{} has no version", cache.dir().display()));
    }
    for line in listing.lines() {
        printer.result(&line);
    }
    Ok(())
}
