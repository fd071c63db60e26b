//! `kb-rs envtest`: the binaries of a control plane, and the control plane itself.
//!
//! The crate kb-envtest owns both; here its answers become output and exit codes.

mod cleanup;
mod download;
mod list;
mod path;
mod place;
mod run;
mod shown;

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
    Use(download::UseArgs),
    Path(path::PathArgs),
    Run(run::RunArgs),
    Cleanup(cleanup::CleanupArgs),
}

/// Runs the command.
pub(super) fn run(args: &EnvtestArgs) -> ExitCode {
    match &args.command {
        Envtest::List(args) => ended(args.shown.printer(), list::run(args)),
        Envtest::Use(args) => ended(args.shown.printer(), download::run(args)),
        Envtest::Path(args) => ended(args.printer(), path::run(args)),
        Envtest::Run(args) => ended(args.shown.printer(), run::run(args)),
        Envtest::Cleanup(args) => ended(args.shown.printer(), cleanup::run(args)),
    }
}

fn ended(printer: Printer, result: Result<(), Failure>) -> ExitCode {
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            printer.problems(&failure.problems);
            failure.exit_code()
        }
    }
}
