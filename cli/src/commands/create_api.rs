//! `kb-rs create api`

use kb_model::{ControllerName, Domain, Group, Gvk, Kind, Plural, Version};

use super::{
    execute::{self, Observer},
    output::OutputArgs,
    project,
};
use crate::{
    ops::{
        create_api::{self, CrateSource, External, ImageFlags, Request, RustPath},
        project_context,
    },
    plan::{Overwrite, Plan, RelPath},
    problem::{Failure, Problems},
    project::Project,
};

const EXAMPLES: &str = "\
Examples:
  # Create a kind and a controller that owns Deployments
  kb-rs create api --group batch --version v1alpha1 --kind AppService --owns apps/v1/Deployment

  # Create a kind whose controller cleans up an external system
  kb-rs create api --group batch --version v1alpha1 --kind Account --finalizer

  # Create a kind whose controller deploys an image behind a Service
  kb-rs create api --group web --version v1alpha1 --kind Site \\
    --image nginxinc/nginx-unprivileged:1.27 --image-container-port 8080

  # Create a cluster-scoped kind without a controller
  kb-rs create api --group batch --version v1 --kind Quota --namespaced=false --controller=false

  # Create a controller for a built-in kind
  kb-rs create api --group core --version v1 --kind ConfigMap --resource=false

  # Create a controller for a kind defined in another crate
  kb-rs create api --group factory --version v1 --kind Widget --resource=false \\
    --external-api-path widgets_api::v1 --external-api-domain example.org \\
    --external-api-module widgets-api@path:../widgets-api";

/// Scaffold an API type, a controller, or both
///
/// Scaffolds the type in the API crate, the controller with its RBAC rules and integration test, a sample, and the admin, editor and viewer
/// roles. Also generates the CRD and the manager role; run `kb-rs generate` after you edit the types or the rules. Existing files are changed
/// only at scaffold markers (`+kb:scaffold:…`), except for dependencies in Cargo.toml and generated files. Your files are not overwritten
/// without --force.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct CreateApiArgs {
    /// API group, without the project's domain
    #[arg(long)]
    group: Option<String>,
    /// API version, such as v1alpha1
    #[arg(long)]
    version: String,
    /// Kind, singular and in CamelCase
    #[arg(long)]
    kind: String,
    /// Plural resource name, in lower case [default: English plural]
    #[arg(long)]
    plural: Option<String>,
    /// Scaffold the API type (prompts on a terminal) [default: true]
    #[arg(long, value_name = "BOOL", num_args = 0..=1, require_equals = true, default_missing_value = "true")]
    resource: Option<bool>,
    /// Scaffold a controller (prompts on a terminal) [default: true, unless another version of the kind has one]
    #[arg(long, value_name = "BOOL", num_args = 0..=1, require_equals = true, default_missing_value = "true")]
    controller: Option<bool>,
    /// Controller name, for a kind with several controllers
    #[arg(long, value_name = "NAME")]
    controller_name: Option<String>,
    /// Whether the kind is namespaced [default: true]
    #[arg(long, value_name = "BOOL", num_args = 0..=1, require_equals = true, default_missing_value = "true")]
    namespaced: Option<bool>,
    /// Kind created and owned by the controller (repeatable)
    #[arg(long, value_name = "GROUP/VERSION/KIND")]
    owns: Vec<String>,
    /// Add a finalizer, to clean up before objects are deleted
    #[arg(long)]
    finalizer: bool,
    /// Container image to deploy: scaffolds a complete controller
    #[arg(long, value_name = "IMAGE")]
    image: Option<String>,
    /// Port of the container; adds a Service
    #[arg(long, value_name = "PORT")]
    image_container_port: Option<String>,
    /// Command of the container, with arguments separated by commas: CMD,ARG
    #[arg(long, value_name = "COMMAND")]
    image_container_command: Option<String>,
    /// Non-zero UID to run the container as [default: the image's user]
    #[arg(long, value_name = "UID")]
    run_as_user: Option<String>,
    /// Rust module of a type defined in another crate
    #[arg(long, value_name = "PATH")]
    external_api_path: Option<String>,
    /// Domain of the external type's API group
    #[arg(long, value_name = "DOMAIN")]
    external_api_domain: Option<String>,
    /// Crate of the external type: NAME@VERSION, NAME@path:DIR or NAME@git:URL
    #[arg(long, value_name = "CRATE")]
    external_api_module: Option<String>,
    /// Overwrite existing files
    #[arg(long)]
    force: bool,
    #[command(flatten)]
    pub(super) output: OutputArgs,
}

/// Runs the command.
pub(super) fn run(args: &CreateApiArgs, observe: Observer<'_>) -> Result<(), Failure> {
    let opened = project::open(args.output)?;
    let project = opened.file.project();
    let request = request(args, project)?;

    let manifest = opened.manifest.as_deref();
    let context = project_context(project, &opened.header, manifest);
    let read = |path: &RelPath| opened.read(path);
    let plan = Plan::default();
    let planned = create_api::plan(&request, project, &context, manifest, &read, plan);
    if let Some(mut failure) = planned.failure() {
        let conflicts = execute::conflicts(&opened.root, &planned.update.proposal.plan);
        failure.problems.extend(conflicts);
        return Err(failure);
    }
    let mut update = opened.record(planned.update);
    update.proposal.next = create_api::next_steps(&planned.edit);
    let overwrite = Overwrite::if_forced(request.force);
    execute::execute(&opened.root, update, overwrite, args.output, observe)
}

/// Parses the flags, and prompts for missing ones.
fn request(args: &CreateApiArgs, project: &Project) -> Result<Request, Failure> {
    let mut problems = Problems::default();
    let group: Option<Group> =
        problems.parse(args.group.as_deref().filter(|group| !group.is_empty()));
    let version: Option<Version> = problems.parse(Some(&args.version));
    let kind: Option<Kind> = problems.parse(Some(&args.kind));
    let plural: Option<Plural> = problems.parse(args.plural.as_deref());
    let controller_name: Option<ControllerName> = problems.parse(args.controller_name.as_deref());
    let owns: Vec<Gvk> = args
        .owns
        .iter()
        .filter_map(|owned| problems.parse(Some(owned)))
        .collect();
    let image = ImageFlags {
        reference: problems.parse(args.image.as_deref()),
        container_port: problems.parse(args.image_container_port.as_deref()),
        container_command: problems.parse(args.image_container_command.as_deref()),
        run_as_user: problems.parse(args.run_as_user.as_deref()),
    };
    let path: Option<RustPath> = problems.parse(args.external_api_path.as_deref());
    let domain: Option<Domain> = problems.parse(args.external_api_domain.as_deref());
    let module: Option<CrateSource> = problems.parse(args.external_api_module.as_deref());
    let problems = problems.into_vec();
    let (Some(version), Some(kind), true) = (version, kind, problems.is_empty()) else {
        return Err(Failure::usage(problems));
    };

    let prompt = args.output.prompt();
    let has_image = image.reference.is_some();
    let resource = args
        .resource
        .unwrap_or_else(|| has_image || prompt.confirm("Scaffold the API type?", true));
    let controller = args.controller.unwrap_or_else(|| {
        let default = !resource
            || args.controller_name.is_some()
            || create_api::default_controller(project, group.as_ref(), &version, &kind);
        has_image || prompt.confirm("Scaffold a controller?", default)
    });
    Ok(Request {
        group,
        version,
        kind,
        plural,
        resource,
        controller,
        controller_name,
        namespaced: args.namespaced,
        owns,
        finalizer: args.finalizer,
        image,
        external: External {
            path,
            domain,
            module,
        },
        force: args.force,
    })
}
