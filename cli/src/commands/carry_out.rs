//! The one ending of every command that changes something: resolve the plan, then show it or apply it.

use std::path::Path;

use super::output::OutputArgs;
use crate::{
    disk::{self, DiskError, Recovery, Step},
    ops::Proposal,
    plan::{Overwrite, Plan, Resolved, Snapshot, resolve},
    problem::{Failure, Problem},
    show::{Outcome, Printer, Report},
};

/// Is told of every step in which files change.
pub(super) type Observer<'a> = &'a mut dyn FnMut(Step<'_>);

/// Whether the tree is as it should be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Drift {
    /// It is.
    None,
    /// It is not, and the user was told what would change.
    Found,
}

/// Finishes or undoes what an earlier run left behind, before anything is read.
pub(super) fn recover(root: &Path, output: OutputArgs) -> Result<(), Failure> {
    if output.only_shows() && disk::is_pending(root) {
        return Err(DiskError::Pending {
            root: root.to_path_buf(),
        }
        .into());
    }
    let printer = output.printer();
    match disk::recover(root)? {
        Recovery::NotNeeded => {}
        Recovery::Completed => {
            printer.note("an earlier run was interrupted; its changes are complete now");
        }
        Recovery::RolledBack => {
            printer.note("an earlier run was interrupted; its traces were removed");
        }
    }
    Ok(())
}

/// What in the tree stands against a plan that is refused for other reasons: the user hears of everything at once.
pub(super) fn obstacles(root: &Path, plan: &Plan) -> Vec<Problem> {
    let snapshot = disk::snapshot(root, plan.paths());
    let conflicts = resolve(plan, &snapshot, Overwrite::Yes)
        .err()
        .unwrap_or_default();
    conflicts.into_iter().map(Problem::from).collect()
}

/// Carries out, or shows, what a command proposes.
pub(super) fn carry_out(
    root: &Path,
    proposal: &Proposal,
    overwrite: Overwrite,
    output: OutputArgs,
    observe: Observer<'_>,
) -> Result<(), Failure> {
    let snapshot = disk::snapshot(root, proposal.plan.paths());
    carry_out_on(root, &snapshot, proposal, overwrite, output, observe)?;
    Ok(())
}

/// The same, for a command that made its plan from a snapshot; gives what was done.
pub(super) fn carry_out_on(
    root: &Path,
    snapshot: &Snapshot,
    proposal: &Proposal,
    overwrite: Overwrite,
    output: OutputArgs,
    observe: Observer<'_>,
) -> Result<Resolved, Failure> {
    let printer = output.printer();
    let resolved = resolved(root, snapshot, proposal, overwrite, printer)?;
    let outcome = if resolved.changes.is_empty() {
        list_the_rest(&resolved, printer);
        printer.note("nothing to change");
        Outcome::Unchanged
    } else if output.only_shows() {
        show(&resolved, output, printer);
        Outcome::Planned
    } else {
        disk::apply(root, &resolved.changes, &mut |step| {
            observe(step);
            if let Step::Placed(change) = step {
                printer.change(change);
            }
        })?;
        list_the_rest(&resolved, printer);
        printer.next(&proposal.next);
        Outcome::Applied
    };
    printer.report(&Report::done(
        outcome,
        root,
        proposal,
        &resolved,
        output.diff,
    ));
    Ok(resolved)
}

/// Shows what is not as it should be; gives whether anything is.
pub(super) fn check(
    root: &Path,
    snapshot: &Snapshot,
    proposal: &Proposal,
    output: OutputArgs,
) -> Result<Drift, Failure> {
    let printer = output.printer();
    let resolved = resolved(root, snapshot, proposal, Overwrite::Never, printer)?;
    if resolved.changes.is_empty() {
        list_the_rest(&resolved, printer);
        printer.note("everything is up to date");
        printer.report(&Report::done(
            Outcome::Unchanged,
            root,
            proposal,
            &resolved,
            false,
        ));
        return Ok(Drift::None);
    }
    list_changes(&resolved, output, printer);
    let problem = Problem::new(
        match resolved.changes.len() {
            1 => "1 file is not up to date".to_owned(),
            count => format!("{count} files are not up to date"),
        },
        "run `kb-rs generate`, and commit what it changes",
    );
    printer.problem_lines(&problem);
    let report = Report::done(Outcome::Drifted, root, proposal, &resolved, output.diff);
    printer.report(&report.with(&problem));
    Ok(Drift::Found)
}

fn resolved(
    root: &Path,
    snapshot: &Snapshot,
    proposal: &Proposal,
    overwrite: Overwrite,
    printer: Printer,
) -> Result<Resolved, Failure> {
    let resolved = resolve(&proposal.plan, snapshot, overwrite);
    for note in &proposal.notes {
        printer.note(note);
    }
    match resolved {
        // It began after this run has looked for one: what it has staged is no conflict for the user to solve.
        Err(_) if disk::is_pending(root) => Err(DiskError::Busy {
            root: root.to_path_buf(),
        }
        .into()),
        resolved => Ok(resolved?),
    }
}

fn show(resolved: &Resolved, output: OutputArgs, printer: Printer) {
    list_changes(resolved, output, printer);
    printer.note("nothing was written");
}

fn list_changes(resolved: &Resolved, output: OutputArgs, printer: Printer) {
    for change in &resolved.changes {
        if output.diff {
            printer.diff(change);
        } else {
            printer.change(change);
        }
    }
    if !output.diff {
        list_the_rest(resolved, printer);
    }
}

fn list_the_rest(resolved: &Resolved, printer: Printer) {
    for path in &resolved.kept {
        printer.kept(path);
    }
    for path in &resolved.unchanged {
        printer.unchanged(path);
    }
}

#[cfg(test)]
mod tests {
    #![allow(
        clippy::disallowed_methods,
        reason = "tests make the files that they look at"
    )]

    use std::fs;

    use super::*;
    use crate::{
        plan::{IfExists, RelPath},
        show::{Format, Verbosity},
    };

    #[test]
    fn what_another_run_has_staged_is_reported_as_that_run() {
        let folder = tempfile::tempdir().unwrap();
        let path = RelPath::new("a");
        fs::write(path.staging().below(folder.path()), "").unwrap();
        let mut proposal = Proposal::default();
        proposal
            .plan
            .create(path.clone(), String::new(), IfExists::Conflict);
        let snapshot = disk::snapshot(folder.path(), [&path]);
        let messages = || {
            let printer = Printer::new(Format::Text, Verbosity::Quiet);
            let failure = resolved(
                folder.path(),
                &snapshot,
                &proposal,
                Overwrite::Never,
                printer,
            );
            let problems = failure.unwrap_err().problems.into_iter();
            problems
                .map(|problem| problem.message)
                .collect::<Vec<_>>()
                .join("\n")
        };
        assert!(messages().contains(".a.kb-rs-new exists"), "{}", messages());
        fs::write(folder.path().join(disk::JOURNAL), "").unwrap();
        assert!(messages().contains("another kb-rs"), "{}", messages());
    }
}
