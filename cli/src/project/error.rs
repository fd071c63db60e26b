//! What can be wrong with a PROJECT file: a list of problems, each with its place, its cause and the way out.
//!
//! All problems of a file are reported together. `Display` prints one line per problem, as compilers do; the help
//! is kept apart, so that the command can print it in its own style.

use std::fmt;

/// One thing that is wrong, and where.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    line: Option<usize>,
    column: Option<usize>,
    message: String,
    help: Option<String>,
}

impl Problem {
    pub(crate) fn new(message: impl Into<String>) -> Self {
        Self {
            line: None,
            column: None,
            message: message.into(),
            help: None,
        }
    }

    pub(crate) fn at(mut self, line: usize, column: usize) -> Self {
        self.line = Some(line);
        self.column = Some(column);
        self
    }

    pub(crate) fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    /// The line, counted from 1.
    pub fn line(&self) -> Option<usize> {
        self.line
    }

    /// The column in characters, counted from 1.
    pub fn column(&self) -> Option<usize> {
        self.column
    }

    /// What is wrong: a phrase without a full stop.
    pub fn message(&self) -> &str {
        &self.message
    }

    /// What to do about it; may have several lines.
    pub fn help_text(&self) -> Option<&str> {
        self.help.as_deref()
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("PROJECT:")?;
        for number in [self.line, self.column].into_iter().flatten() {
            write!(f, "{number}:")?;
        }
        write!(f, " {}", self.message)
    }
}

/// A PROJECT file cannot be read, or cannot be rewritten.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{}", one_per_line(.problems))]
pub struct ProjectError {
    problems: Vec<Problem>,
}

impl ProjectError {
    /// Everything that is wrong, in the order of the file.
    pub fn problems(&self) -> &[Problem] {
        &self.problems
    }
}

impl From<Problem> for ProjectError {
    fn from(problem: Problem) -> Self {
        Self {
            problems: vec![problem],
        }
    }
}

impl From<Vec<Problem>> for ProjectError {
    fn from(mut problems: Vec<Problem>) -> Self {
        problems.sort_by_key(|problem| (problem.line, problem.column));
        Self { problems }
    }
}

fn one_per_line(problems: &[Problem]) -> String {
    let lines: Vec<String> = problems.iter().map(Problem::to_string).collect();
    lines.join("\n")
}
