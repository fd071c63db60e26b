//! The one ending of every command that changes something: resolve the plan, then show it or apply it.

use std::path::Path;

use super::output::OutputArgs;
use crate::{
    disk::{self, DiskError, Recovery, Step},
    ops::Proposal,
    plan::{Overwrite, Plan, Resolved, resolve},
    problem::{Failure, Problem},
    show::{Outcome, Printer, Report},
};

/// Is told of every step in which files change.
pub(super) type Observer<'a> = &'a mut dyn FnMut(Step<'_>);

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
        Recovery::Nothing => {}
        Recovery::Finished => {
            printer.note("an earlier run was interrupted; its changes are complete now");
        }
        Recovery::Undone => {
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
    let printer = output.printer();
    let snapshot = disk::snapshot(root, proposal.plan.paths());
    let resolved = resolve(&proposal.plan, &snapshot, overwrite);
    for note in &proposal.notes {
        printer.note(note);
    }
    let resolved = resolved?;
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
    Ok(())
}

fn show(resolved: &Resolved, output: OutputArgs, printer: Printer) {
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
    printer.note("nothing was written");
}

fn list_the_rest(resolved: &Resolved, printer: Printer) {
    for path in &resolved.kept {
        printer.kept(path);
    }
    for path in &resolved.unchanged {
        printer.unchanged(path);
    }
}
