//! `kb-rs envtest path`

use std::path::PathBuf;

use kb_envtest::{Binaries, Wanted};
use serde_json::json;

use super::place::CacheArgs;
use crate::{
    problem::{Failure, Problem},
    show::{Format, Printer, Verbosity},
};

const EXAMPLES: &str = "\
Examples:
  The kubectl of the version in use:
    $(kb-rs envtest path)/kubectl version --client

  Tests against an installed version:
    KUBEBUILDER_ASSETS=$(kb-rs envtest path 1.34) cargo test";

/// Print the folder of the version that tests take, or of another one that is installed
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct PathArgs {
    /// An installed version: 1.36, 1.36.2 or latest [default: the one that tests take]
    version: Option<Wanted>,
    #[command(flatten)]
    cache: CacheArgs,
    /// Print lines for people, or one JSON document for programs
    #[arg(long, value_enum, value_name = "FORMAT", default_value_t)]
    output: Format,
}

impl PathArgs {
    /// What prints.
    pub(super) fn printer(&self) -> Printer {
        Printer::new(self.output, Verbosity::Normal)
    }
}

/// Runs the command.
pub(super) fn run(args: &PathArgs) -> Result<(), Failure> {
    let folder = folder(args)?;
    let printer = args.printer();
    printer.answer(&folder.display().to_string());
    printer.document(&json!({ "path": folder }));
    Ok(())
}

fn folder(args: &PathArgs) -> Result<PathBuf, Failure> {
    if args.version.is_none() && args.cache.dir.is_none() {
        return Ok(Binaries::find()?.folder().to_owned());
    }
    let cache = args.cache.cache()?;
    let installed = match args.version {
        Some(wanted) => cache.find(wanted),
        None => cache.in_use(),
    };
    let installed = installed.ok_or_else(|| {
        let place = cache.folder().display();
        match args.version {
            Some(wanted) => Problem::new(
                format!("{wanted} is not installed in {place}"),
                format!("run `kb-rs envtest use {wanted}`"),
            ),
            None => Problem::new(
                format!("no version is installed in {place}"),
                "run `kb-rs envtest use`",
            ),
        }
    })?;
    Ok(installed.folder)
}
