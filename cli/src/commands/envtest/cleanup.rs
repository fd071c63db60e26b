//! `kb-rs envtest cleanup`

use std::path::{Path, PathBuf};

use kb_envtest::{
    Cache, Installation, VersionSelector,
    download::{self, is_removable},
};
use serde_json::json;

use super::{cache::CacheArgs, format::FormatArgs};
use crate::{
    ops::envtest::select_for_removal,
    problem::{Failure, Problem},
    show::Printer,
};

const EXAMPLES: &str = "\
Examples:
  # Remove all patch releases of a minor version
  kb-rs envtest cleanup 1.34

  # Preview the removal of all versions
  kb-rs envtest cleanup --all --dry-run";

/// Remove versions installed by `kb-rs envtest use`
///
/// Keeps versions that were built or copied into the cache, and directories with additional files.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct CleanupArgs {
    /// Versions to remove: 1.34 (all patch releases) or 1.34.1
    #[arg(required_unless_present = "all", conflicts_with = "all")]
    versions: Vec<VersionSelector>,
    /// Remove all versions and leftover files from interrupted downloads
    #[arg(long)]
    all: bool,
    /// List the versions without removing them
    #[arg(long)]
    dry_run: bool,
    #[command(flatten)]
    cache: CacheArgs,
    #[command(flatten)]
    pub(super) format: FormatArgs,
}

/// Runs the command.
pub(super) fn run(args: &CleanupArgs) -> Result<(), Failure> {
    let cache = args.cache.cache()?;
    let printer = args.format.printer();
    let installed = cache.installed();
    let removed = if args.all {
        let (removable, others): (Vec<_>, Vec<_>) = installed.into_iter().partition(is_removable);
        for other in others {
            let dir = other.dir.display();
            printer.note(&format!("keeping {dir}: not installed by kb-rs envtest"));
        }
        removable
    } else {
        select_for_removal(&args.versions, &installed, cache.dir())?
    };
    let leftovers = if args.all {
        download::leftovers(&cache)
    } else {
        Vec::new()
    };
    let foreign = removed.iter().filter(|version| !is_removable(version));
    let foreign: Vec<Problem> = foreign.map(foreign_problem).collect();
    if !foreign.is_empty() {
        return Err(Failure::refused(foreign));
    }
    if !args.dry_run {
        remove(&cache, &removed)?;
        if !leftovers.is_empty() {
            download::clean_up(&cache)?;
        }
    }
    print(args, &removed, &leftovers, printer);
    Ok(())
}

fn foreign_problem(version: &Installation) -> Problem {
    let dir = version.dir.display();
    Problem::new(
        format!("{dir} was not installed by kb-rs envtest"),
        "remove it manually if you no longer need it",
    )
}

/// Removes the versions, and reports every problem.
fn remove(cache: &Cache, versions: &[Installation]) -> Result<(), Failure> {
    let problems: Vec<Problem> = versions
        .iter()
        .filter_map(|version| download::remove(cache, version).err())
        .map(Problem::from)
        .collect();
    if problems.is_empty() {
        Ok(())
    } else {
        Err(Failure::refused(problems))
    }
}

fn print(args: &CleanupArgs, removed: &[Installation], leftovers: &[PathBuf], printer: Printer) {
    let dirs = removed.iter().map(|version| version.dir.as_path());
    let paths: Vec<&Path> = dirs.chain(leftovers.iter().map(PathBuf::as_path)).collect();
    for path in &paths {
        printer.removed(path);
    }
    if paths.is_empty() {
        printer.note("nothing to remove");
    }
    printer.document(&json!({ "removed": paths, "dryRun": args.dry_run }));
}
