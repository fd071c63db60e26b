//! `kb-rs envtest`: manages the binaries of a control plane, and runs it.
//!
//! The crate kb-envtest implements both; this module turns its results into output and exit codes.

mod cache;
mod cleanup;
mod format;
mod index;
mod list;
mod path;
mod run;
mod use_version;

use std::process::ExitCode;

use clap::Subcommand;

use crate::{problem::Failure, show::Printer};

const EXAMPLES: &str = "\
Examples:
  # Install a control plane for `cargo test`, once per machine
  kb-rs envtest use

  # Try your operator without a cluster
  kb-rs envtest run";

/// Download and run a control plane for tests
///
/// A scaffolded project's tests run against a real etcd and kube-apiserver. They look for the binaries in `KUBEBUILDER_ASSETS`, the project's
/// bin/k8s, the user cache and Kubebuilder's setup-envtest cache, in that order. If a cache has several versions, they use the one selected
/// with `kb-rs envtest use`, or the newest. The commands below use the project's bin/k8s only with `--dir bin/k8s`.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES, arg_required_else_help = true)]
pub(super) struct EnvtestArgs {
    #[command(subcommand)]
    command: Envtest,
}

#[derive(Debug, Subcommand)]
enum Envtest {
    List(list::ListArgs),
    Use(use_version::UseArgs),
    Path(path::PathArgs),
    Run(run::RunArgs),
    Cleanup(cleanup::CleanupArgs),
}

/// Runs the command.
pub(super) fn run(args: &EnvtestArgs) -> ExitCode {
    match &args.command {
        Envtest::List(args) => finish(args.format.printer(), list::run(args)),
        Envtest::Use(args) => finish(args.format.printer(), use_version::run(args)),
        Envtest::Path(args) => finish(args.printer(), path::run(args)),
        Envtest::Run(args) => finish(args.format.printer(), run::run(args)),
        Envtest::Cleanup(args) => finish(args.format.printer(), cleanup::run(args)),
    }
}

fn finish(printer: Printer, result: Result<(), Failure>) -> ExitCode {
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            printer.problems(&failure.problems);
            failure.exit_code()
        }
    }
}
