//! One run of `kb-rs generate`: prints, checks or writes the manifests.

use std::{cell::RefCell, path::Path};

use super::{
    super::{
        execute::{self, Observer},
        project::{self, OpenProject},
    },
    args::GenerateArgs,
    host::ProjectHost,
    watch,
};
use crate::{
    disk::Stamps,
    ops::{Proposal, generate::Manifests},
    plan::{Overwrite, Resolved, Snapshot},
    problem::Failure,
    show::write_stdout,
};

/// Runs the command. Returns `false` if `--check` found files that are not up to date.
pub(in crate::commands) fn run(
    args: &GenerateArgs,
    observe: Observer<'_>,
) -> Result<bool, Failure> {
    args.check_flags()?;
    if args.watch {
        // Fail outside of a project, instead of waiting for changes.
        let root = project::open(args.output)?.root;
        watch::run(args, &root, observe);
    }
    let opened = project::open(args.effective_output())?;
    let host = host(args, &opened.root, &opened);
    if args.stdout {
        return print(&opened, &host).map(|()| true);
    }
    if args.check {
        return check(&opened, &host);
    }
    write(&opened, &host, observe).map(|_| true)
}

/// Runs the command for `--watch`. Also returns the files to wait for.
pub(super) fn run_watched(
    args: &GenerateArgs,
    root: &Path,
    observe: Observer<'_>,
) -> (Result<Resolved, Failure>, Stamps) {
    let mut seen = Stamps::default();
    seen.add(&root.join("api"));
    seen.add(&root.join("PROJECT"));
    if let Some(header) = &args.header_file {
        seen.add(header);
    }
    let result = project::open(args.output).and_then(|opened| {
        let host = host(args, root, &opened);
        let result = write(&opened, &host, observe);
        seen.extend(host.seen.into_inner());
        result
    });
    (result, seen)
}

fn host<'a>(args: &'a GenerateArgs, root: &'a Path, opened: &OpenProject) -> ProjectHost<'a> {
    ProjectHost {
        args,
        root,
        package: opened.file.project().name.to_string(),
        printer: args.effective_output().printer(),
        seen: RefCell::default(),
    }
}

fn print(opened: &OpenProject, host: &ProjectHost<'_>) -> Result<(), Failure> {
    let options = host.args.options(host.root)?;
    let manifests = Manifests::load(&options, opened.file.project(), host)?;
    let (text, notes) = manifests.render(&options);
    for note in notes {
        host.printer.note(&note);
    }
    write_stdout(&text);
    Ok(())
}

/// Plans the files. Also returns the snapshot that the plan is based on.
fn propose(opened: &OpenProject, host: &ProjectHost<'_>) -> Result<(Proposal, Snapshot), Failure> {
    let project = opened.file.project();
    let options = host.args.options(host.root)?;
    let manifests = Manifests::load(&options, project, host)?;
    let (mut proposal, snapshot) = manifests.propose(&options, project, host)?;
    proposal.notes.splice(0..0, manifests.no_kinds());
    Ok((proposal, snapshot))
}

/// Returns whether all files are up to date.
fn check(opened: &OpenProject, host: &ProjectHost<'_>) -> Result<bool, Failure> {
    let (proposal, snapshot) = propose(opened, host)?;
    let output = host.args.effective_output();
    execute::check(host.root, &snapshot, &proposal, output)
}

fn write(
    opened: &OpenProject,
    host: &ProjectHost<'_>,
    observe: Observer<'_>,
) -> Result<Resolved, Failure> {
    let (proposal, snapshot) = propose(opened, host)?;
    let mut output = host.args.effective_output();
    if host.args.watch {
        output.be_quiet();
    }
    execute::execute_on(
        host.root,
        &snapshot,
        &proposal,
        Overwrite::Never,
        output,
        observe,
    )
}
