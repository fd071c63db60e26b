//! `kb-rs delete api`

use kb_model::{ControllerName, Group, Gvk, Kind, Version};

use super::{
    execute::{self, Observer},
    output::OutputArgs,
    project,
};
use crate::{
    ops::{
        delete_api::{self, Request, Scope},
        project_context,
    },
    plan::Overwrite,
    problem::{Failure, Problems},
};

const EXAMPLES: &str = "\
Examples:
  # Preview the deletion of an API
  kb-rs delete api --group batch --version v1alpha1 --kind AppService --dry-run

  # Delete an API with its controllers, manifests and samples
  kb-rs delete api --group batch --version v1alpha1 --kind AppService

  # Delete only its controllers
  kb-rs delete api --group batch --version v1alpha1 --kind AppService --resource=false

  # Delete the controller for a built-in kind
  kb-rs delete api --group core --version v1 --kind ConfigMap";

/// Delete an API or its controllers
///
/// Reverts `kb-rs create api`: deletes the type, its controllers and their tests, their registration in main.rs, their rules in the manager
/// role, the manifests, the CRD and the entry in PROJECT. Files that you changed are kept and listed, unless --force is given. Objects in
/// clusters are not affected.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct DeleteApiArgs {
    /// API group, with or without the project's domain
    #[arg(long)]
    group: Option<String>,
    /// API version
    #[arg(long)]
    version: String,
    /// Kind
    #[arg(long)]
    kind: String,
    /// Delete the type and its controllers; `false` deletes only the controllers [default: true]
    #[arg(long, value_name = "BOOL", num_args = 0..=1, require_equals = true, default_missing_value = "true")]
    resource: Option<bool>,
    /// Delete only the controller with this name
    #[arg(long, value_name = "NAME", conflicts_with = "resource")]
    controller_name: Option<String>,
    /// Also delete files that you changed
    #[arg(long)]
    force: bool,
    #[command(flatten)]
    pub(super) output: OutputArgs,
}

/// Runs the command.
pub(super) fn run(args: &DeleteApiArgs, observe: Observer<'_>) -> Result<(), Failure> {
    let opened = project::open(args.output)?;
    let request = request(args)?;
    let project = opened.file.project();
    let context = project_context(project, &opened.header, opened.manifest.as_deref());
    let update = delete_api::plan(&request, project, &context, &|path| opened.read(path))?;
    let update = opened.record(update);
    let overwrite = Overwrite::if_forced(args.force);
    execute::execute(&opened.root, update, overwrite, args.output, observe)
}

fn request(args: &DeleteApiArgs) -> Result<Request, Failure> {
    let mut problems = Problems::default();
    let group: Option<Group> =
        problems.parse(args.group.as_deref().filter(|group| !group.is_empty()));
    let version: Option<Version> = problems.parse(Some(&args.version));
    let kind: Option<Kind> = problems.parse(Some(&args.kind));
    let controller: Option<ControllerName> = problems.parse(args.controller_name.as_deref());
    let problems = problems.into_vec();
    match (version, kind) {
        (Some(version), Some(kind)) if problems.is_empty() => Ok(Request {
            kind: Gvk {
                group,
                version,
                kind,
            },
            scope: match (controller, args.resource) {
                (Some(name), _) => Scope::Controller(name),
                (None, Some(false)) => Scope::Controllers,
                (None, _) => Scope::Everything,
            },
            force: args.force,
        }),
        _ => Err(Failure::usage(problems)),
    }
}
