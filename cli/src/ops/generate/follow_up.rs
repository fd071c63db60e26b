//! Adds the manifests that `generate` would write after a command to the plan of that command.
//!
//! Everything happens as in `kb-rs generate` without flags, on the tree that the plan leaves. Only cargo is never started: if a type needs
//! rustc, or `generate` would fail, the manifests stay as they are and the command prints a warning.

use std::{
    cell::{Cell, RefCell},
    collections::BTreeSet,
};

use super::{Host, Manifests, Options, ProjectFiles, RecordingFiles, planned_tree::PlannedTree};
use crate::{
    cargo::Printed,
    ops::{Proposal, Update},
    plan::{Change, Overwrite, RelPath, Snapshot, resolve},
    problem::{Failure, Problem},
    project::Project,
    source::{Diagnostic, Files},
};

/// The step to run if the manifests are out of date, and the step that needs them.
const GENERATE: &str = "make generate";
const TEST: &str = "cargo test";

/// Adds the manifests of the updated project to the plan, and the state of their files to `snapshot`, which has the files of the plan.
///
/// Does nothing if the plan has conflicts: they are reported when it is executed.
pub(crate) fn plan_manifests(
    update: &mut Update,
    snapshot: &mut Snapshot,
    overwrite: Overwrite,
    files: &dyn ProjectFiles,
) {
    let Update { project, proposal } = update;
    let Ok(planned) = resolve(&proposal.plan, snapshot, overwrite) else {
        return;
    };
    let host = PlannedHost::new(PlannedTree::new(&planned.changes, files));
    match generated(project, &host) {
        Ok((changes, notes)) if !changes.is_empty() => {
            proposal.plan.append(changes);
            for note in host.notes.into_inner().into_iter().chain(notes) {
                // `delete api` reports some of them as well.
                if !proposal.notes.contains(&note) {
                    proposal.notes.push(note);
                }
            }
            let warnings = host.warnings.into_inner().into_iter();
            proposal.warnings.extend(warnings.map(Problem::from));
            snapshot.extend(host.tree.into_read());
        }
        Ok(_) => {}
        Err(failure) => {
            let needs_build = host.needs_build.into_inner();
            skip(&failure, needs_build, proposal);
        }
    }
}

/// Returns the changes of the manifests, and the notes on them.
fn generated(
    project: &Project,
    host: &PlannedHost<'_>,
) -> Result<(Vec<Change>, Vec<String>), Failure> {
    let options = Options::default();
    let manifests = Manifests::load(&options, project, host)?;
    let (proposal, snapshot) = manifests.propose(&options, project, host)?;
    let resolved = resolve(&proposal.plan, &snapshot, Overwrite::Never)?;
    Ok((resolved.changes, proposal.notes))
}

/// Warns that the manifests are not updated.
fn skip(failure: &Failure, needs_build: bool, proposal: &mut Proposal) {
    let more = match failure.problems.len() {
        0 | 1 => String::new(),
        2 => ", and 1 more problem".to_owned(),
        count => format!(", and {} more problems", count - 1),
    };
    let reason = failure.problems.first().map(Problem::summary);
    let help = if needs_build && more.is_empty() {
        "run `kb-rs generate`, which builds the API crate"
    } else {
        "fix this and run `kb-rs generate`"
    };
    proposal.warnings.push(Problem::new(
        format!(
            "CRDs and roles are not updated: {}{more}",
            reason.unwrap_or_default()
        ),
        help,
    ));
    let next = &mut proposal.next;
    let position = next.iter().position(|step| step == TEST);
    next.insert(position.unwrap_or(next.len()), GENERATE.to_owned());
}

/// The project as a plan leaves it. Collects notes and warnings, and never starts cargo.
struct PlannedHost<'a> {
    tree: PlannedTree<'a>,
    notes: RefCell<Vec<String>>,
    warnings: RefCell<Vec<Diagnostic>>,
    /// Whether a type needs rustc.
    needs_build: Cell<bool>,
}

impl<'a> PlannedHost<'a> {
    fn new(tree: PlannedTree<'a>) -> Self {
        Self {
            tree,
            notes: RefCell::default(),
            warnings: RefCell::default(),
            needs_build: Cell::default(),
        }
    }
}

impl ProjectFiles for PlannedHost<'_> {
    fn list(&self, dir: Option<&RelPath>) -> Result<Vec<RelPath>, Failure> {
        self.tree.list(dir)
    }

    fn snapshot(&self, paths: BTreeSet<&RelPath>) -> Snapshot {
        self.tree.snapshot(paths)
    }
}

impl Host for PlannedHost<'_> {
    fn sources(&self) -> &dyn Files {
        &self.tree
    }

    fn crdgen(&self, why: &str, _: bool, _: &BTreeSet<String>) -> Result<Printed, Problem> {
        self.needs_build.set(true);
        Err(Problem::new(why, "run `kb-rs generate`"))
    }

    fn recordings(&self) -> Result<RecordingFiles, Failure> {
        Ok(RecordingFiles {
            dir: String::new(),
            files: Vec::new(),
        })
    }

    fn note(&self, note: &str) {
        self.notes.borrow_mut().push(note.to_owned());
    }

    fn warn(&self, warning: &Diagnostic) {
        self.warnings.borrow_mut().push(warning.clone());
    }
}
