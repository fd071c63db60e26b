//! `kb-rs envtest list`

use kb_envtest::Platform;

use super::{cache::CacheArgs, format::FormatArgs, index::IndexArgs};
use crate::{
    ops::envtest::{Listing, Platforms},
    problem::Failure,
};

const EXAMPLES: &str = "\
Examples:
  # List installed and available versions
  kb-rs envtest list

  # List installed versions, without network access
  kb-rs envtest list --installed-only";

/// List installed and available versions
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct ListArgs {
    /// List only installed versions, without network access
    #[arg(long)]
    installed_only: bool,
    /// Platform to list versions for, as OS/ARCH, or `all` [default: this machine]
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
        printer.note(&format!("no versions in {}", cache.dir().display()));
    }
    for line in listing.lines() {
        printer.result(&line);
    }
    Ok(())
}
