//! `kb-rs envtest path`

use std::path::PathBuf;

use kb_envtest::VersionSelector;
use serde_json::json;

use super::cache::{CacheArgs, note_other_version};
use crate::{
    problem::{Failure, Problem},
    show::{Format, Printer, Verbosity},
};

const EXAMPLES: &str = "\
Examples:
  # Run kubectl from the version in use
  $(kb-rs envtest path)/kubectl version --client

  # Run tests against another installed version
  KUBEBUILDER_ASSETS=$(kb-rs envtest path 1.34) cargo test";

/// Print the directory of the version in use, or of another installed version
///
/// Ignores the project's bin/k8s unless `--dir bin/k8s` is given, because a cloned repository may contain untrusted binaries.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct PathArgs {
    /// Installed version: 1.36, 1.36.2 or latest [default: the version in use]
    version: Option<VersionSelector>,
    #[command(flatten)]
    cache: CacheArgs,
    /// Output format
    #[arg(
        long,
        value_enum,
        value_name = "FORMAT",
        default_value_t,
        help_heading = "Output"
    )]
    output: Format,
}

impl PathArgs {
    /// Returns the printer.
    pub(super) fn printer(&self) -> Printer {
        Printer::new(self.output, Verbosity::Normal)
    }
}

/// Runs the command.
pub(super) fn run(args: &PathArgs) -> Result<(), Failure> {
    let dir = dir(args)?;
    let printer = args.printer();
    printer.result(&dir.display().to_string());
    printer.document(&json!({ "path": dir }));
    if args.version.is_none() {
        note_other_version(&dir, printer);
    }
    Ok(())
}

fn dir(args: &PathArgs) -> Result<PathBuf, Failure> {
    let Some(selector) = args.version else {
        return args.cache.in_use();
    };
    let cache = args.cache.cache()?;
    let installed = cache.find(selector).ok_or_else(|| {
        Problem::new(
            format!("{selector} is not installed in {}", cache.dir().display()),
            format!("run `kb-rs envtest use {selector}`"),
        )
    })?;
    Ok(installed.dir)
}
