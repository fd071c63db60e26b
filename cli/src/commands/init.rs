//! `kb-rs init`

use std::path::{Component, Path, PathBuf};

use kb_model::{Domain, Gvk, ProjectName};

use super::{
    execute::{self, Observer},
    license,
    output::OutputArgs,
    project,
};
use crate::{
    disk,
    ops::{Header, KbSource, License, Proposal, Update, create_api, init::Init, quoted},
    plan::{FileState, IfExists, Overwrite, Plan, RelPath},
    problem::{Failure, Problem, Problems},
};

const EXAMPLES: &str = "\
Examples:
  # Create a project with its first API in a new directory
  kb-rs init my-operator --domain example.com --api batch/v1alpha1/AppService

  # Create a namespace-scoped operator in the current directory
  kb-rs init --domain example.com --namespaced

  # Preview the scaffolded files
  kb-rs init my-operator --domain example.com --dry-run";

/// Initialize a new project
///
/// Scaffolds a Cargo workspace with the manager, kustomize manifests, a Makefile, a Dockerfile and a CI workflow. In an existing
/// directory, common files such as README.md, .gitignore and LICENSE are kept; if any other
/// file to be scaffolded already exists, the command reports a conflict and writes nothing.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
#[allow(clippy::doc_markdown, reason = "clap help is plain text")]
pub(super) struct InitArgs {
    /// Project directory, created if it does not exist [default: current directory]
    dir: Option<PathBuf>,
    /// Domain of your API groups, such as example.com
    #[arg(long)]
    domain: Option<String>,
    /// Name of the package and prefix of deployed objects [default: directory name]
    #[arg(long, value_name = "NAME")]
    project_name: Option<String>,
    /// Repository URL for Cargo.toml
    #[arg(long, value_name = "URL")]
    repo: Option<String>,
    /// Copyright holder in the license header
    #[arg(long)]
    owner: Option<String>,
    /// Project license
    #[arg(long, value_enum, default_value = "apache2")]
    license: License,
    /// File with a custom license header for source files
    #[arg(long, value_name = "FILE")]
    license_file: Option<PathBuf>,
    /// Use the multi-group layout: one directory per API group
    #[arg(long)]
    multigroup: bool,
    /// Watch only the namespaces in `WATCH_NAMESPACE`, with Roles instead of a ClusterRole
    #[arg(long)]
    namespaced: bool,
    /// Also scaffold the first API and its controller
    #[arg(long, value_name = "GROUP/VERSION/KIND")]
    api: Option<String>,
    /// Source of the kb crates: registry, git:URL or path:DIR (a checkout of kb-rs, relative to the project; no CI workflow is scaffolded
    /// for it) [default: the checkout that kb-rs was built from, if it still exists, otherwise registry]
    #[arg(long, value_name = "SOURCE", env = "KB_SOURCE", hide_env_values = true)]
    kb_source: Option<String>,
    #[command(flatten)]
    pub(super) output: OutputArgs,
}

/// Runs the command.
pub(super) fn run(mut args: InitArgs, observe: Observer<'_>) -> Result<(), Failure> {
    let root = root(args.dir.as_deref())?;
    if args.domain.is_none() {
        args.domain = args
            .output
            .prompt()
            .value("Domain of your API groups (such as example.com)");
    }
    let (init, api) = options(&args, &root).map_err(|mut failure| {
        failure.problems.extend(check_dir(&root).err());
        failure
    })?;
    if root.is_dir() {
        project::check_owner(&root, &root)?;
        execute::recover(&root, args.output)?;
    }
    check_dir(&root)?;

    let mut update = plan(&init, api, args.dir.as_deref())?;
    if let Some(outer) = root.parent().and_then(disk::project_root) {
        update.proposal.notes.push(format!(
            "the new project is inside another project: {}",
            outer.display()
        ));
    }
    execute::execute(&root, update, Overwrite::Never, args.output, observe)
}

/// Returns the absolute project directory, which need not exist.
fn root(dir: Option<&Path>) -> Result<PathBuf, Failure> {
    let root = match dir {
        Some(dir) if dir.is_absolute() => dir.to_path_buf(),
        Some(dir) => project::working_directory()?.join(dir),
        None => project::working_directory()?,
    };
    let mut parts = PathBuf::new();
    for part in root.components() {
        match part {
            Component::ParentDir => {
                parts.pop();
            }
            Component::CurDir => {}
            _ => parts.push(part),
        }
    }
    Ok(parts)
}

/// Parses the flags.
fn options(args: &InitArgs, root: &Path) -> Result<(Init, Option<Gvk>), Failure> {
    let mut problems = Problems::default();
    if args.domain.is_none() {
        problems.push(Problem::new(
            "--domain is required",
            "pass a domain, such as `--domain example.com`",
        ));
    }
    let domain: Option<Domain> = problems.parse(args.domain.as_deref());
    let name = match &args.project_name {
        Some(name) => problems.parse(Some(name)),
        None => name_of(root, &mut problems),
    };
    let api = problems.parse(args.api.as_deref());
    let kb_source = match &args.kb_source {
        Some(source) => problems.parse(Some(source)),
        None => Some(checkout().unwrap_or(KbSource::Registry)),
    };
    for (what, value) in [("repository URL", &args.repo), ("owner", &args.owner)] {
        license::check_text(what, value.as_deref(), &mut problems);
    }
    let header = match &args.license_file {
        Some(file) => license::read_header(file, &mut problems),
        None => Header::of(args.license, args.owner.as_deref()),
    };
    let problems = problems.into_vec();
    match (domain, name, kb_source) {
        (Some(domain), Some(name), Some(kb_source)) if problems.is_empty() => Ok((
            Init {
                domain,
                name,
                repo: args.repo.clone(),
                owner: args.owner.clone(),
                license: args.license,
                header,
                multigroup: args.multigroup,
                namespaced: args.namespaced,
                kb_source,
            },
            api,
        )),
        _ => Err(Failure::usage(problems)),
    }
}

/// Returns the checkout that this binary was built from, so that projects scaffolded during development of kb-rs use it.
fn checkout() -> Option<KbSource> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent()?;
    let exists = root.join("runtime").join("Cargo.toml").is_file();
    exists.then(|| KbSource::Path(root.display().to_string()))
}

/// Derives the project name from the directory.
fn name_of(root: &Path, problems: &mut Problems) -> Option<ProjectName> {
    let help = "pass --project-name";
    let Some(dir) = root.file_name().and_then(|name| name.to_str()) else {
        problems.push(Problem::new(
            format!("failed to derive a project name from {}", root.display()),
            help,
        ));
        return None;
    };
    ProjectName::from_directory(dir)
        .map_err(|error| {
            problems.push(Problem::new(
                format!("{error} (derived from the directory name)"),
                help,
            ));
        })
        .ok()
}

/// Rejects a path that is not a directory or already has a project.
fn check_dir(root: &Path) -> Result<(), Problem> {
    let is_broken_link = root.is_symlink() && !root.exists();
    if is_broken_link || root.exists() && !root.is_dir() {
        return Err(Problem::new(
            format!("{} is not a directory", root.display()),
            "choose another directory",
        ));
    }
    let project = RelPath::new("PROJECT");
    if *disk::snapshot(root, [&project]).get(&project) != FileState::Missing {
        return Err(Problem::new(
            format!(
                "{} already contains a project: PROJECT exists",
                root.display()
            ),
            "run `kb-rs create api` in it, or choose another directory",
        ));
    }
    Ok(())
}

fn plan(init: &Init, api: Option<Gvk>, dir: Option<&Path>) -> Result<Update, Failure> {
    let mut plan = Plan::default();
    init.files(&mut plan);
    let mut next: Vec<String> = dir
        .map(|dir| format!("cd {}", quoted(dir)))
        .into_iter()
        .collect();
    let mut notes = Vec::new();
    if let KbSource::Path(checkout) = &init.kb_source {
        notes.push(format!(
            "the kb crates come from the checkout {checkout}, which only this machine has: image builds fail, and no CI workflow is \
             scaffolded; pass `--kb-source git:URL` or `--kb-source registry` for both"
        ));
    }
    let project = match api {
        None => {
            next.push("kb-rs create api --group GROUP --version v1alpha1 --kind KIND".to_owned());
            init.project()
        }
        Some(api) => {
            let request = create_api::Request::with_defaults(api);
            let (project, context) = (init.project(), init.context());
            let planned = create_api::plan(&request, &project, &context, None, &|_| None, plan);
            if !planned.problems.is_empty() {
                return Err(Failure::usage(planned.problems));
            }
            let Proposal {
                plan: with_api,
                notes: of_api,
                ..
            } = planned.update.proposal;
            plan = with_api;
            notes.extend(of_api);
            next.extend(create_api::next_steps(&planned.edit));
            planned.update.project
        }
    };
    plan.create(
        RelPath::new("PROJECT"),
        project.render(),
        IfExists::Conflict,
    );
    Ok(Update {
        project,
        proposal: Proposal {
            plan,
            notes,
            next,
            ..Proposal::default()
        },
    })
}
