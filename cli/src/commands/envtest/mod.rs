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
  Once on each machine, so that `cargo test` finds a control plane:
    kb-rs envtest use

  Play with your operator without a cluster:
    kb-rs envtest run";

/// Get, run and remove a control plane for tests
///
/// Tests of a generated project run against a real etcd and kube-apiserver. They take the folder that `KUBEBUILDER_ASSETS` names, else a
/// version in bin/k8s of the project, else one in the user's cache, else one of Kubebuilder's setup-envtest. Where there are several, they
/// take the one that `kb-rs envtest use` chose last, or else the newest. The commands here take bin/k8s of the project only where `--dir`
/// names it.
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
