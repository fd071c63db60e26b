//! What a command did, as one JSON document.

use std::path::Path;

use serde::Serialize;

use super::diff;
use crate::{
    ops::Proposal,
    plan::{Change, RelPath, Resolved},
    problem::Problem,
    source::Diagnostic,
};

/// How a command ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Outcome {
    /// The changes were made.
    Applied,
    /// The changes would be made.
    Planned,
    /// There was nothing to change.
    Unchanged,
    /// What is there is not what it should be.
    Drifted,
    /// Nothing was done.
    Failed,
}

/// The document that `--output json` prints.
#[derive(Debug, Serialize)]
pub(crate) struct Report {
    outcome: Outcome,
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
    place: Option<PlaceReport>,
    #[serde(skip_serializing_if = "Option::is_none")]
    help: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    paste: Option<String>,
}

/// A place in the sources; lines and columns count from 1, and are 0 if the file as a whole is meant.
#[derive(Debug, Serialize)]
struct PlaceReport {
    file: String,
    line: usize,
    column: usize,
}

impl From<&Problem> for ProblemReport {
    fn from(problem: &Problem) -> Self {
        let place = |at: &Diagnostic| PlaceReport {
            file: at.path.to_string(),
            line: at.line,
            column: at.column,
        };
        Self {
            message: problem.message.clone(),
            place: problem.diagnostic.as_deref().map(place),
            help: problem.help.clone(),
            paste: problem.paste.clone(),
        }
    }
}

impl Report {
    /// A command that did, or would do, its work.
    pub(crate) fn done(
        outcome: Outcome,
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
            notes: proposal.notes.clone(),
            next: if outcome == Outcome::Applied {
                proposal.next.clone()
            } else {
                Vec::new()
            },
            problems: Vec::new(),
        }
    }

    /// The same with what is wrong.
    pub(crate) fn with(mut self, problem: &Problem) -> Self {
        self.problems.push(problem.into());
        self
    }

    /// A command that failed.
    pub(crate) fn failed(problems: &[Problem]) -> Self {
        Self {
            outcome: Outcome::Failed,
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
