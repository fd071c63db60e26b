//! The error of an invalid PROJECT file.

use std::fmt;

use crate::problem::{Failure, Problem};

const RESTORE: &str = "fix the field, or restore PROJECT from version control";

/// An invalid PROJECT file, with all of its problems.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProjectError {
    problems: Vec<Problem>,
}

impl ProjectError {
    pub(super) fn new(problems: Vec<Problem>) -> Self {
        Self { problems }
    }

    /// Returns the error of one problem with the file as a whole.
    pub(super) fn single(message: impl fmt::Display, help: impl Into<String>) -> Self {
        Self::new(vec![Problem::new(format!("PROJECT: {message}"), help)])
    }
}

/// Describes a problem with one field.
pub(super) fn field_problem(
    field: &str,
    message: impl fmt::Display,
    help: Option<&str>,
) -> Problem {
    Problem::new(
        format!("PROJECT: {field}: {message}"),
        help.unwrap_or(RESTORE),
    )
}

impl fmt::Display for ProjectError {
    /// Writes one line per problem.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let messages: Vec<&str> = self.problems.iter().map(|p| p.message.as_str()).collect();
        f.write_str(&messages.join("\n"))
    }
}

impl std::error::Error for ProjectError {}

impl From<ProjectError> for Failure {
    fn from(error: ProjectError) -> Self {
        Self::refused(error.problems)
    }
}
