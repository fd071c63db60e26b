//! The command line: parses arguments into typed requests, and turns results into output and an exit code.
//!
//! Each command reads what it needs, calls `ops` for a proposal and passes it to [`execute`].

mod completion;
mod create_api;
mod delete_api;
mod disk_files;
mod edit;
mod envtest;
mod execute;
mod generate;
mod init;
mod license;
mod output;
mod project;
mod version;

use std::{ffi::OsString, panic::resume_unwind, process::ExitCode, thread};

use clap::{Parser, Subcommand};

use self::output::OutputArgs;
use crate::{
    disk::Step,
    problem::{Failure, Problem},
    show::{Format, Printer, Verbosity},
    source::STACK_SIZE,
};

const EXAMPLES: &str = "\
Examples:
  # Create an operator project with its first API
  kb-rs init my-operator --domain example.com --api batch/v1alpha1/AppService

  # Add a second API to the project
  cd my-operator
  kb-rs create api --group batch --version v1alpha1 --kind Backup --owns apps/v1/Deployment

  # Update the manifests after changing the types
  kb-rs generate

Environment:
  KB_SAFE_DIRECTORY  Project directory to trust even if another user owns it, or `*` to trust all";

/// Kubebuilder for Rust: build Kubernetes operators with kube-rs
///
/// kb-rs scaffolds an operator project, adds APIs and controllers to it and generates CRDs and RBAC manifests from Rust code. The
/// scaffolded code is yours; it uses the kb runtime, which builds on kube-rs. Commands that change the project support --dry-run and --diff
/// and apply all changes or none.
#[derive(Debug, Parser)]
#[command(name = "kb-rs", version, after_help = EXAMPLES, max_term_width = 100)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    Init(init::InitArgs),
    /// Scaffold a Kubernetes API or controller
    #[command(subcommand, arg_required_else_help = true)]
    Create(Create),
    /// Remove a resource from the project
    #[command(subcommand, arg_required_else_help = true)]
    Delete(Delete),
    Edit(edit::EditArgs),
    Generate(generate::GenerateArgs),
    Envtest(envtest::EnvtestArgs),
    Completion(completion::CompletionArgs),
    Version(version::VersionArgs),
}

#[derive(Debug, Subcommand)]
enum Create {
    Api(create_api::CreateApiArgs),
}

#[derive(Debug, Subcommand)]
enum Delete {
    Api(delete_api::DeleteApiArgs),
}

/// Runs kb-rs with the given arguments, including the program name.
///
/// Runs on a separate thread whose stack is large enough for deeply nested sources.
pub fn run(arguments: impl IntoIterator<Item = OsString>) -> ExitCode {
    let arguments: Vec<OsString> = arguments.into_iter().collect();
    let thread = thread::Builder::new().stack_size(STACK_SIZE);
    let running = thread.spawn(|| run_observed(arguments, &mut |_| {}));
    match running.map(thread::JoinHandle::join) {
        Ok(Ok(code)) => code,
        Ok(Err(panic)) => resume_unwind(panic),
        Err(error) => {
            let problem = Problem::new(
                format!("failed to start a thread with a stack of {STACK_SIZE} bytes: {error}"),
                "raise the address space limit (`ulimit -v`)",
            );
            Printer::new(Format::Text, Verbosity::Normal).problems(&[problem]);
            ExitCode::FAILURE
        }
    }
}

/// Runs kb-rs and calls `observe` at every step in which files change, so that tests can stop the process at each of them.
pub fn run_observed(
    arguments: impl IntoIterator<Item = OsString>,
    observe: &mut dyn FnMut(Step<'_>),
) -> ExitCode {
    let cli = match Cli::try_parse_from(arguments) {
        Ok(cli) => cli,
        Err(error) => {
            // Ignore a closed pipe, as with `kb-rs --help | head`.
            let _ = error.print();
            return ExitCode::from(u8::try_from(error.exit_code()).unwrap_or(2));
        }
    };
    match cli.command {
        Command::Init(args) => {
            let output = args.output;
            finish(output, init::run(args, observe))
        }
        Command::Create(Create::Api(args)) => {
            let output = args.output;
            finish(output, create_api::run(&args, observe))
        }
        Command::Delete(Delete::Api(args)) => {
            let output = args.output;
            finish(output, delete_api::run(&args, observe))
        }
        Command::Edit(args) => {
            let output = args.output;
            finish(output, edit::run(&args, observe))
        }
        Command::Generate(args) => {
            let output = args.output;
            match generate::run(&args, observe) {
                Ok(false) => ExitCode::FAILURE,
                result => finish(output, result.map(|_| ())),
            }
        }
        Command::Envtest(args) => envtest::run(&args),
        Command::Completion(args) => completion::run(&args),
        Command::Version(args) => version::run(&args),
    }
}

fn finish(output: OutputArgs, result: Result<(), Failure>) -> ExitCode {
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            output.printer().problems(&failure.problems);
            failure.exit_code()
        }
    }
}

/// Returns the definition of the command line, for completion scripts and tests.
pub fn definition() -> clap::Command {
    <Cli as clap::CommandFactory>::command()
}

#[cfg(test)]
mod tests {
    #[test]
    fn definition_is_valid() {
        super::definition().debug_assert();
    }
}
