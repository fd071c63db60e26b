//! What a command did, as one JSON document.

use serde::Serialize;

use super::diff;
use crate::{
    plan::{Change, Resolved},
    problem::Problem,
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
    #[serde(skip_serializing_if = "Option::is_none")]
    help: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    paste: Option<String>,
}

impl Report {
    /// A command that did, or would do, its work.
    pub(crate) fn done(
        outcome: Outcome,
        root: String,
        resolved: &Resolved,
        with_diff: bool,
        next: &[String],
    ) -> Self {
        let change = |change: &Change| ChangeReport {
            path: change.path.to_string(),
            action: change.action.verb(),
            diff: with_diff.then(|| diff::unified(change)),
        };
        Self {
            outcome,
            root: Some(root),
            changes: resolved.changes.iter().map(change).collect(),
            kept: resolved.kept.iter().map(ToString::to_string).collect(),
            next: next.to_vec(),
            problems: Vec::new(),
        }
    }

    /// A command that failed.
    pub(crate) fn failed(problems: &[Problem]) -> Self {
        let problem = |problem: &Problem| ProblemReport {
            message: problem.message.clone(),
            help: problem.help.clone(),
            paste: problem.paste.clone(),
        };
        Self {
            outcome: Outcome::Failed,
            root: None,
            changes: Vec::new(),
            kept: Vec::new(),
            next: Vec::new(),
            problems: problems.iter().map(problem).collect(),
        }
    }
}
