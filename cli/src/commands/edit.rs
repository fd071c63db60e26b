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
  # Add a second replica, a PodDisruptionBudget and a ServiceMonitor
  kb-rs edit --enable pdb,prometheus

  # Switch to a namespace-scoped operator and back
  kb-rs edit --namespaced
  kb-rs edit --namespaced=false

  # Allow a second API group
  kb-rs edit --multigroup

  # Change the license in Cargo.toml, LICENSE and the headers of scaffolded files
  kb-rs edit --license mit --owner 'ACME Ltd'";

/// Update the project configuration
///
/// Updates the scaffolded files to match the new settings and preserves your edits. If an update and an edit affect the same lines, the
/// command reports the conflicts and writes nothing. Also updates the generated manifests, like `kb-rs generate`. Reverting a setting
/// also reverts its changes to the files.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES, arg_required_else_help = true)]
#[allow(clippy::doc_markdown, reason = "clap help is plain text")]
pub(super) struct EditArgs {
    /// Use the multi-group layout for new kinds; existing files are not moved
    #[arg(long, value_name = "BOOL", num_args = 0..=1, require_equals = true, default_missing_value = "true")]
    multigroup: Option<bool>,
    /// Watch only the namespaces in `WATCH_NAMESPACE`, with Roles instead of a ClusterRole
    #[arg(long, value_name = "BOOL", num_args = 0..=1, require_equals = true, default_missing_value = "true")]
    namespaced: Option<bool>,
    /// Enable optional kustomize components (comma-separated)
    #[arg(long, value_enum, value_name = "COMPONENT", value_delimiter = ',')]
    enable: Vec<Component>,
    /// Disable optional kustomize components (comma-separated)
    #[arg(long, value_enum, value_name = "COMPONENT", value_delimiter = ',')]
    disable: Vec<Component>,
    /// Project license
    #[arg(long, value_enum)]
    license: Option<License>,
    /// File with a custom license header for source files
    #[arg(long, value_name = "FILE")]
    license_file: Option<PathBuf>,
    /// Copyright holder in the license header
    #[arg(long)]
    owner: Option<String>,
    /// Overwrite conflicting edits
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
    let update = opened.record(update);
    let overwrite = Overwrite::if_forced(args.force);
    execute::execute(&opened.root, update, overwrite, args.output, observe)
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
            "no setting to change",
            "pass one, such as `--enable prometheus`; see `kb-rs edit --help`",
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
