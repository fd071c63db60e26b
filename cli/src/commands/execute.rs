//! Executes a proposal: resolves its plan, then shows or applies the changes.

use std::path::Path;

use super::{disk_files::DiskFiles, output::OutputArgs};
use crate::{
    disk::{self, DiskError, Recovery, Step},
    ops::{Proposal, Update, generate::plan_manifests},
    plan::{Overwrite, Plan, Resolved, Snapshot, resolve},
    problem::{Failure, Problem},
    show::{Printer, Report, RunOutcome},
};

/// Called at every step in which files change.
pub(super) type Observer<'a> = &'a mut dyn FnMut(Step<'_>);

/// Completes or rolls back an interrupted run. Must be called before anything is read.
pub(super) fn recover(root: &Path, output: OutputArgs) -> Result<(), Failure> {
    if output.is_dry_run() && disk::is_pending(root) {
        return Err(DiskError::Pending {
            root: root.to_path_buf(),
        }
        .into());
    }
    let printer = output.printer();
    match disk::recover(root)? {
        Recovery::NotNeeded => {}
        Recovery::Completed => {
            printer.note("completed an interrupted run");
        }
        Recovery::RolledBack => {
            printer.note("rolled back an interrupted run");
        }
    }
    Ok(())
}

/// Returns the conflicts of a plan with existing files, to report them together with other problems.
pub(super) fn conflicts(root: &Path, plan: &Plan) -> Vec<Problem> {
    let snapshot = disk::snapshot(root, plan.paths());
    let conflicts = resolve(plan, &snapshot, Overwrite::Yes)
        .err()
        .unwrap_or_default();
    conflicts.into_iter().map(Problem::from).collect()
}

/// Executes or shows an update, together with the manifests of the updated project.
pub(super) fn execute(
    root: &Path,
    mut update: Update,
    overwrite: Overwrite,
    output: OutputArgs,
    observe: Observer<'_>,
) -> Result<(), Failure> {
    let mut snapshot = disk::snapshot(root, update.proposal.plan.paths());
    plan_manifests(&mut update, &mut snapshot, overwrite, &DiskFiles { root });
    let proposal = &update.proposal;
    execute_on(root, &snapshot, proposal, overwrite, output, observe)?;
    Ok(())
}

/// Executes or shows a proposal that is based on `snapshot`, and returns the changes.
pub(super) fn execute_on(
    root: &Path,
    snapshot: &Snapshot,
    proposal: &Proposal,
    overwrite: Overwrite,
    output: OutputArgs,
    observe: Observer<'_>,
) -> Result<Resolved, Failure> {
    let printer = output.printer();
    let resolved = resolve_proposal(root, snapshot, proposal, overwrite, printer)?;
    let outcome = if resolved.changes.is_empty() {
        list_untouched(&resolved, printer);
        printer.note("nothing to change");
        RunOutcome::Unchanged
    } else if output.is_dry_run() {
        show(&resolved, output, printer);
        RunOutcome::Planned
    } else {
        disk::apply(root, &resolved.changes, &mut |step| {
            observe(step);
            if let Step::Placed(change) = step {
                printer.change(change);
            }
        })?;
        list_untouched(&resolved, printer);
        printer.next(&proposal.next);
        RunOutcome::Applied
    };
    printer.document(&Report::done(
        outcome,
        root,
        proposal,
        &resolved,
        output.diff,
    ));
    Ok(resolved)
}

/// Shows the files that are not up to date, and returns whether all are.
pub(super) fn check(
    root: &Path,
    snapshot: &Snapshot,
    proposal: &Proposal,
    output: OutputArgs,
) -> Result<bool, Failure> {
    let printer = output.printer();
    let resolved = resolve_proposal(root, snapshot, proposal, Overwrite::Never, printer)?;
    if resolved.changes.is_empty() {
        list_untouched(&resolved, printer);
        printer.note("everything is up to date");
        printer.document(&Report::done(
            RunOutcome::Unchanged,
            root,
            proposal,
            &resolved,
            false,
        ));
        return Ok(true);
    }
    list_changes(&resolved, output, printer);
    let problem = Problem::new(
        match resolved.changes.len() {
            1 => "1 file is out of date".to_owned(),
            count => format!("{count} files are out of date"),
        },
        "run `kb-rs generate` and commit the changes",
    );
    printer.problem_text(&problem);
    let report = Report::done(RunOutcome::Drifted, root, proposal, &resolved, output.diff);
    printer.document(&report.with(&problem));
    Ok(false)
}

fn resolve_proposal(
    root: &Path,
    snapshot: &Snapshot,
    proposal: &Proposal,
    overwrite: Overwrite,
    printer: Printer,
) -> Result<Resolved, Failure> {
    let resolved = resolve(&proposal.plan, snapshot, overwrite);
    for warning in &proposal.warnings {
        printer.problem_as_warning(warning);
    }
    for note in &proposal.notes {
        printer.note(note);
    }
    match resolved {
        // Another run started after `recover`: its staging files are not conflicts that the user can resolve.
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
        list_untouched(resolved, printer);
    }
}

fn list_untouched(resolved: &Resolved, printer: Printer) {
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
        reason = "tests create the files they read"
    )]

    use std::fs;

    use super::*;
    use crate::{
        plan::{IfExists, RelPath},
        show::{Format, Verbosity},
    };

    #[test]
    fn reports_staging_files_of_a_concurrent_run_as_that_run() {
        let dir = tempfile::tempdir().unwrap();
        let path = RelPath::new("a");
        fs::write(path.staging().below(dir.path()), "").unwrap();
        let mut proposal = Proposal::default();
        proposal
            .plan
            .create(path.clone(), String::new(), IfExists::Conflict);
        let snapshot = disk::snapshot(dir.path(), [&path]);
        let messages = || {
            let printer = Printer::new(Format::Text, Verbosity::Quiet);
            let failure =
                resolve_proposal(dir.path(), &snapshot, &proposal, Overwrite::Never, printer);
            let problems = failure.unwrap_err().problems.into_iter();
            problems
                .map(|problem| problem.message)
                .collect::<Vec<_>>()
                .join("\n")
        };
        assert!(messages().contains(".a.kb-rs-new exists"), "{}", messages());
        fs::write(dir.path().join(disk::JOURNAL), "").unwrap();
        assert!(messages().contains("another kb-rs"), "{}", messages());
    }
}
