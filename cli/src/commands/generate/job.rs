//! One run of `kb-rs generate`: read, plan, and the ending that was asked for.

use std::{collections::BTreeSet, mem, path::Path};

use kb_model::{crd::Crd, rbac::Role};

use super::{
    super::{
        carry_out::{self, Drift, Observer},
        project,
    },
    args::GenerateArgs,
    crds, roles,
    source_files::SourceFiles,
    unused, watch,
};
use crate::{
    disk::{self, Stamps},
    ops::{
        Proposal,
        generate::{self, Comments, Generator, OutputDir, Planned, Samples},
    },
    plan::{Overwrite, Plan, Resolved, Snapshot},
    problem::{Failure, Problem, Problems},
    project::{Project, ProjectFile},
    show::{Printer, write_stdout},
    source::RuleFiles,
};

/// How the command ends if nothing is wrong with it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::commands) enum Ending {
    /// It did its work.
    Done,
    /// A check found files that are not up to date.
    Drifted,
}

/// Runs the command.
pub(in crate::commands) fn run(
    args: &GenerateArgs,
    observe: Observer<'_>,
) -> Result<Ending, Failure> {
    args.check_call()?;
    if args.watch {
        // Outside of a project there is nothing to wait for.
        let root = project::find(args.output)?.root;
        watch::run(args, &root, observe);
    }
    let found = project::find(args.shown())?;
    let root = found.root;
    let files = SourceFiles::new(&root, false);
    let job = Job::new(args, &root, &found.file)?;
    match args {
        GenerateArgs { stdout: true, .. } => job.print(&files).map(|()| Ending::Done),
        GenerateArgs { check: true, .. } => job.check(&files),
        _ => job.write(&files, observe).map(|_| Ending::Done),
    }
}

/// What to do, with everything but the sources read.
pub(super) struct Job<'a> {
    args: &'a GenerateArgs,
    root: &'a Path,
    comments: Comments,
    crd_dir: OutputDir,
    role_dir: OutputDir,
    printer: Printer,
    project: &'a Project,
}

impl<'a> Job<'a> {
    /// Checks the files and folders that the call names; gives all problems at once.
    pub(super) fn new(
        args: &'a GenerateArgs,
        root: &'a Path,
        file: &'a ProjectFile,
    ) -> Result<Self, Failure> {
        let mut problems = Problems::default();
        let comments = problems.take(comments(args));
        let named = args.output_dir.as_ref();
        // With a folder there is one generator.
        let dir = named.and_then(|path| problems.take(OutputDir::named(path, root)));
        let problems = problems.into_vec();
        match comments {
            Some(comments) if problems.is_empty() => Ok(Self {
                args,
                root,
                comments,
                crd_dir: dir.clone().unwrap_or_else(OutputDir::of_crds),
                role_dir: dir.unwrap_or_else(OutputDir::of_roles),
                printer: args.shown().printer(),
                project: file.project(),
            }),
            _ => Err(Failure::usage(problems)),
        }
    }

    /// What was asked for, with everything that is wrong with any of it.
    fn gather(&self, files: &SourceFiles<'_>) -> Result<Gathered, Failure> {
        let (args, printer) = (self.args, self.printer);
        let has_kinds = has_kinds(self.project);
        let mut known = RuleFiles::default();
        let crds = args
            .asks_for(Generator::Crd)
            .then(|| crds::gather(args, self.root, files, printer, has_kinds, &mut known));
        let roles = args
            .asks_for(Generator::Rbac)
            .then(|| self.roles(files, known));
        match (crds.transpose(), roles.transpose()) {
            (Ok(crds), Ok(roles)) => Ok(Gathered { crds, roles }),
            (Err(failure), Ok(_)) | (Ok(_), Err(failure)) => Err(failure),
            (Err(one), Err(other)) => Err(one.and(other)),
        }
    }

    fn roles(&self, files: &SourceFiles<'_>, known: RuleFiles) -> Result<Vec<Role>, Failure> {
        let (args, printer) = (self.args, self.printer);
        let rules = roles::read(args, files, known, printer)?;
        if args.report_unused {
            let target = match &args.target_dir {
                Some(named) => named.clone(),
                None => self.root.join("target"),
            };
            unused::report(&rules, &target, self.project.name.as_str(), printer)?;
        }
        Ok(roles::of(rules, args, self.project.namespaced, printer))
    }

    fn print(&self, files: &SourceFiles<'_>) -> Result<(), Failure> {
        let Gathered { crds, roles } = self.gather(files)?;
        if let Some(crds) = crds {
            let notes = crds.iter().flat_map(Crd::notes);
            for note in notes.chain(no_kinds(crds.is_empty())) {
                self.printer.note(&note);
            }
            write_stdout(&generate::texts(&crds, &self.comments).concat());
        }
        if let Some(roles) = roles {
            write_stdout(&generate::role_text(&roles, &self.comments));
        }
        Ok(())
    }

    fn check(&self, files: &SourceFiles<'_>) -> Result<Ending, Failure> {
        let (proposal, snapshot) = self.propose(files)?;
        let drift = carry_out::check(self.root, &snapshot, &proposal, self.args.shown())?;
        Ok(match drift {
            Drift::None => Ending::Done,
            Drift::Found => Ending::Drifted,
        })
    }

    /// Writes, or shows what it would write.
    pub(super) fn write(
        &self,
        files: &SourceFiles<'_>,
        observe: Observer<'_>,
    ) -> Result<Resolved, Failure> {
        let (proposal, snapshot) = self.propose(files)?;
        let mut output = self.args.shown();
        if self.args.watch {
            output.be_quiet();
        }
        carry_out::carry_out_on(
            self.root,
            &snapshot,
            &proposal,
            Overwrite::Never,
            output,
            observe,
        )
    }

    /// One plan for everything that is asked for, and the files it was made from.
    fn propose(&self, files: &SourceFiles<'_>) -> Result<(Proposal, Snapshot), Failure> {
        let Gathered { crds, roles } = self.gather(files)?;
        let mut crd_files = BTreeSet::new();
        if let Some(crds) = &crds {
            let present = disk::files_in(self.root, Some(self.crd_dir.path()))?;
            crd_files = generate::files(crds, &self.crd_dir, present);
        }
        let role_file = roles.as_ref().map(|_| generate::role_file(&self.role_dir));
        let mut entries = disk::snapshot(self.root, crd_files.iter().chain(&role_file));

        let mut plan = Plan::default();
        let mut notes = Vec::new();
        let mut problems = Problems::default();
        if let Some(crds) = &crds {
            notes.extend(no_kinds(crds.is_empty()));
            let (comments, dir) = (&self.comments, &self.crd_dir);
            let planned = generate::plan(crds, comments, dir, &crd_files, &entries, &mut plan);
            let Planned {
                notes: more,
                changed,
            } = problems.take(planned).unwrap_or_default();
            notes.extend(more);
            self.plan_samples(&changed, &mut entries, &mut plan);
        }
        if let Some(roles) = &roles {
            let (comments, dir) = (&self.comments, &self.role_dir);
            problems.take(generate::plan_roles(
                roles, comments, dir, &entries, &mut plan,
            ));
        }
        let problems = problems.into_vec();
        if !problems.is_empty() {
            return Err(Failure::refused(problems));
        }
        if !self.args.watch {
            // The command ends soon: to take the documents apart would take longer than to leave them.
            mem::forget(crds);
        }
        let proposal = Proposal {
            plan,
            notes,
            next: Vec::new(),
        };
        Ok((proposal, entries))
    }

    /// Lets the samples follow CRDs that change; adds them to the files the plan was made from.
    fn plan_samples(&self, changed: &[&Crd], entries: &mut Snapshot, plan: &mut Plan) {
        if self.crd_dir == OutputDir::of_crds() {
            let samples = Samples::of(changed, self.project);
            entries.extend(disk::snapshot(self.root, samples.paths()));
            samples.plan(entries, plan);
        }
    }
}

/// What the sources say, as far as it was asked for.
struct Gathered {
    crds: Option<Vec<Crd>>,
    roles: Option<Vec<Role>>,
}

/// The comments above each document.
fn comments(args: &GenerateArgs) -> Result<Comments, Problem> {
    let Some(path) = &args.header_file else {
        return Ok(Comments::default());
    };
    let text = disk::read_text(path).map_err(|error| {
        Problem::new(
            error.to_string(),
            "name a text file, relative to the working directory",
        )
    })?;
    Comments::with_header(&path.display().to_string(), &text)
}

fn no_kinds(none: bool) -> Option<String> {
    none.then(|| "no kinds are listed: `kb-rs create api` adds one".to_owned())
}

/// Whether PROJECT records a kind whose type is the project's own.
fn has_kinds(project: &Project) -> bool {
    let resources = &project.resources;
    resources.iter().any(|resource| resource.api.is_some())
}

/// A run for a watch: what it changed, and what it looked at.
pub(super) fn watched(
    args: &GenerateArgs,
    root: &Path,
    observe: Observer<'_>,
) -> (Result<Resolved, Failure>, Stamps) {
    let mut seen = Stamps::default();
    crds::also_seen(args, root, &mut seen);
    let files = SourceFiles::new(root, true);
    let result = project::find(args.output)
        .and_then(|found| Job::new(args, root, &found.file)?.write(&files, observe));
    seen.extend(files.into_seen());
    (result, seen)
}
