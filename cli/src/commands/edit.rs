//! `kb-rs edit`

use std::path::PathBuf;

use super::{
    execute::{self, Observer},
    license,
    output::OutputArgs,
    project,
};
use crate::{
    ops::{
        License,
        edit::{self, Component, Request},
    },
    plan::Overwrite,
    problem::{Failure, Problem, Problems},
};

const EXAMPLES: &str = "\
Examples:
  Two replicas and a ServiceMonitor in what is deployed:
    kb-rs edit --enable pdb,prometheus

  A manager that sees single namespaces, and back again:
    kb-rs edit --namespaced
    kb-rs edit --namespaced=false

  A further API group in folders of its own:
    kb-rs edit --multigroup

  Another licence, in Cargo.toml, LICENSE and the headers of the scaffolded files:
    kb-rs edit --license mit --owner 'ACME Ltd'";

/// Change what was chosen when the project was made
///
/// Changes what differs in the files, and leaves what you changed in them; where both meet, nothing is written and you are shown what to
/// do. What is turned on and off again leaves no trace.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES, arg_required_else_help = true)]
pub(super) struct EditArgs {
    /// Keep each new API group in a folder of its own; what is there stays where it is
    #[arg(long, value_name = "BOOL", num_args = 0..=1, require_equals = true, default_missing_value = "true")]
    multigroup: Option<bool>,
    /// Watch the namespaces that `WATCH_NAMESPACE` names, with a Role instead of a `ClusterRole` for the controllers
    #[arg(long, value_name = "BOOL", num_args = 0..=1, require_equals = true, default_missing_value = "true")]
    namespaced: Option<bool>,
    /// Turn on optional parts of what is deployed
    #[arg(long, value_enum, value_name = "COMPONENT", value_delimiter = ',')]
    enable: Vec<Component>,
    /// Turn off optional parts of what is deployed
    #[arg(long, value_enum, value_name = "COMPONENT", value_delimiter = ',')]
    disable: Vec<Component>,
    /// The licence of the project
    #[arg(long, value_enum)]
    license: Option<License>,
    /// A file with the licence header for source files, instead of the usual one
    #[arg(long, value_name = "FILE")]
    license_file: Option<PathBuf>,
    /// The copyright holder, for the licence header
    #[arg(long)]
    owner: Option<String>,
    /// Overwrite files that you changed in a place that has to change
    #[arg(long)]
    force: bool,
    #[command(flatten)]
    pub(super) output: OutputArgs,
}

/// Runs the command.
pub(super) fn run(args: &EditArgs, observe: Observer<'_>) -> Result<(), Failure> {
    let opened = project::open(args.output)?;
    let request = request(args)?;
    let update = edit::plan(
        &request,
        opened.file.project(),
        &opened.header,
        opened.manifest.as_deref(),
        &|path| opened.read(path),
    )
    .map_err(Failure::refused)?;
    let proposal = opened.record(update);
    let overwrite = Overwrite::if_forced(args.force);
    execute::execute(&opened.root, &proposal, overwrite, args.output, observe)
}

fn request(args: &EditArgs) -> Result<Request, Failure> {
    let mut problems = Problems::default();
    license::check_text("owner", args.owner.as_deref(), &mut problems);
    let header = args
        .license_file
        .as_deref()
        .map(|file| license::read_header(file, &mut problems));
    let asks = args.multigroup.is_some()
        || args.namespaced.is_some()
        || args.license.is_some()
        || args.owner.is_some()
        || header.is_some();
    if !asks && args.enable.is_empty() && args.disable.is_empty() {
        problems.push(Problem::new(
            "there is nothing to change",
            "say what, such as `--enable prometheus`; `kb-rs edit --help` has examples",
        ));
    }
    let problems = problems.into_vec();
    if !problems.is_empty() {
        return Err(Failure::usage(problems));
    }
    Ok(Request {
        multigroup: args.multigroup,
        namespaced: args.namespaced,
        license: args.license,
        owner: args.owner.clone(),
        header,
        enable: args.enable.clone(),
        disable: args.disable.clone(),
    })
}
