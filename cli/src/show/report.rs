//! The JSON report of a command.

use std::path::Path;

use serde::Serialize;

use super::diff;
use crate::{
    ops::Proposal,
    plan::{Change, RelPath, Resolved},
    problem::Problem,
    source::Diagnostic,
};

/// Outcome of a command.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum RunOutcome {
    /// Changes were applied.
    Applied,
    /// Changes were planned (dry run).
    Planned,
    /// Nothing to change.
    Unchanged,
    /// A check found files that are out of date.
    Drifted,
    /// The command failed.
    Failed,
}

/// The document that `--output json` prints.
#[derive(Debug, Serialize)]
pub(crate) struct Report {
    outcome: RunOutcome,
    #[serde(skip_serializing_if = "Option::is_none")]
    root: Option<String>,
    changes: Vec<ChangeReport>,
    kept: Vec<String>,
    unchanged: Vec<String>,
    notes: Vec<String>,
    next: Vec<String>,
    problems: Vec<ProblemReport>,
}

#[derive(Debug, Serialize)]
struct ChangeReport {
    path: String,
    action: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    diff: Option<String>,
}

#[derive(Debug, Serialize)]
struct ProblemReport {
    message: String,
    #[serde(flatten)]
    location: Option<LocationReport>,
    #[serde(skip_serializing_if = "Option::is_none")]
    help: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    paste: Option<String>,
}

/// A location in the sources. Lines and columns count from 1, and are 0 for the whole file.
#[derive(Debug, Serialize)]
struct LocationReport {
    file: String,
    line: usize,
    column: usize,
}

impl From<&Problem> for ProblemReport {
    fn from(problem: &Problem) -> Self {
        let location = |at: &Diagnostic| LocationReport {
            file: at.path.to_string(),
            line: at.line,
            column: at.column,
        };
        Self {
            message: problem.message.clone(),
            location: problem.diagnostic.as_deref().map(location),
            help: problem.help.clone(),
            paste: problem.paste.clone(),
        }
    }
}

impl Report {
    /// Creates the report of a successful command or dry run.
    pub(crate) fn done(
        outcome: RunOutcome,
        root: &Path,
        proposal: &Proposal,
        resolved: &Resolved,
        with_diff: bool,
    ) -> Self {
        let change = |change: &Change| ChangeReport {
            path: change.path.to_string(),
            action: change.action.verb(),
            diff: with_diff.then(|| diff::unified(change)),
        };
        let texts = |paths: &[RelPath]| paths.iter().map(ToString::to_string).collect();
        Self {
            outcome,
            root: Some(root.display().to_string()),
            changes: resolved.changes.iter().map(change).collect(),
            kept: texts(&resolved.kept),
            unchanged: texts(&resolved.unchanged),
            notes: notes(proposal),
            next: if outcome == RunOutcome::Applied {
                proposal.next.clone()
            } else {
                Vec::new()
            },
            problems: Vec::new(),
        }
    }

    /// Adds a problem.
    pub(crate) fn with(mut self, problem: &Problem) -> Self {
        self.problems.push(problem.into());
        self
    }

    /// Creates the report of a failed command.
    pub(crate) fn failed(problems: &[Problem]) -> Self {
        Self {
            outcome: RunOutcome::Failed,
            root: None,
            changes: Vec::new(),
            kept: Vec::new(),
            unchanged: Vec::new(),
            notes: Vec::new(),
            next: Vec::new(),
            problems: problems.iter().map(ProblemReport::from).collect(),
        }
    }
}

/// Returns the notes and the warnings, one line each.
fn notes(proposal: &Proposal) -> Vec<String> {
    let warnings = proposal.warnings.iter().map(|warning| match &warning.help {
        Some(help) => format!("{}; {help}", warning.summary()),
        None => warning.summary(),
    });
    proposal.notes.iter().cloned().chain(warnings).collect()
}
