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
    ops::{
        Header, KbSource, License, Proposal, create_api, generate::plan_new_project, init::Init,
        quoted,
    },
    plan::{FileState, IfExists, Overwrite, Plan, RelPath},
    problem::{Failure, Problem, Problems},
};

const EXAMPLES: &str = "\
Examples:
  In a new folder, with a first API:
    kb-rs init my-operator --domain example.com --api batch/v1alpha1/AppService

  In the current folder, for an operator that watches single namespaces:
    kb-rs init --domain example.com --namespaced

  See what would be made:
    kb-rs init my-operator --domain example.com --dry-run";

/// Make a new operator project
///
/// Writes a Cargo workspace with the manager, manifests for kustomize with an empty role that `kb-rs generate` fills, a Makefile, a
/// Dockerfile and a CI workflow. Files that are there already stay as they are (README.md, .gitignore, LICENSE and the like) or stop the
/// command before anything is written.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct InitArgs {
    /// The project's folder, made if it does not exist [default: the current one]
    dir: Option<PathBuf>,
    /// What the names of your API groups end in, such as example.com
    #[arg(long)]
    domain: Option<String>,
    /// The name of the package and the prefix of deployed objects [default: the folder's name]
    #[arg(long, value_name = "NAME")]
    project_name: Option<String>,
    /// The repository's URL, for Cargo.toml
    #[arg(long, value_name = "URL")]
    repo: Option<String>,
    /// The copyright holder, for the licence header
    #[arg(long)]
    owner: Option<String>,
    /// The licence of the project
    #[arg(long, value_enum, default_value = "apache2")]
    license: License,
    /// A file with the licence header for source files, instead of the usual one
    #[arg(long, value_name = "FILE")]
    license_file: Option<PathBuf>,
    /// Keep each API group in a folder of its own
    #[arg(long)]
    multigroup: bool,
    /// Watch the namespaces that `WATCH_NAMESPACE` names, with a Role instead of a `ClusterRole` for the controllers
    #[arg(long)]
    namespaced: bool,
    /// Make a first API and its controller, too
    #[arg(long, value_name = "GROUP/VERSION/KIND")]
    api: Option<String>,
    /// Where the project takes kb's crates from: registry, path:DIR (a checkout of kb-rs, seen from the project) or
    /// git:URL [default: the checkout that this kb-rs was built in, if it is still there, else registry]
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
            .value("Domain of your API groups (for example example.com)");
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

    let mut proposal = propose(&init, api, args.dir.as_deref())?;
    if let Some(outer) = root.parent().and_then(disk::project_root) {
        proposal.notes.push(format!(
            "the new project lies inside another one, {}",
            outer.display()
        ));
    }
    execute::execute(&root, &proposal, Overwrite::Never, args.output, observe)
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
            "no domain is given",
            "add --domain, such as `--domain example.com`",
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
    let help = "give the project a name with --project-name";
    let Some(dir) = root.file_name().and_then(|name| name.to_str()) else {
        problems.push(Problem::new(
            format!("{} cannot give the project its name", root.display()),
            help,
        ));
        return None;
    };
    ProjectName::from_directory(dir)
        .map_err(|error| {
            problems.push(Problem::new(
                format!("{error} (from the folder's name)"),
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
            format!("{} is not a folder", root.display()),
            "choose another folder",
        ));
    }
    let project = RelPath::new("PROJECT");
    if *disk::snapshot(root, [&project]).get(&project) != FileState::Missing {
        return Err(Problem::new(
            format!(
                "{} is a project already: it has a PROJECT file",
                root.display()
            ),
            "add to it with `kb-rs create api`, or choose another folder",
        ));
    }
    Ok(())
}

fn propose(init: &Init, api: Option<Gvk>, dir: Option<&Path>) -> Result<Proposal, Failure> {
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
            plan_new_project(init.namespaced, &mut plan);
            next.push("cargo test".to_owned());
            next.push(format!("edit {}", planned.edit.join(" and ")));
            next.push("make generate".to_owned());
            planned.update.project
        }
    };
    plan.create(
        RelPath::new("PROJECT"),
        project.render(),
        IfExists::Conflict,
    );
    Ok(Proposal { plan, notes, next })
}
