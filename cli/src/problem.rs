//! Problems reported to the user, with hints.

use std::process::ExitCode;

use kb_envtest::download::DownloadError;
use kb_model::{NameError, NameErrors};

use crate::{disk::DiskError, plan::Conflict, source::Diagnostic};

/// A problem.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Problem {
    /// Lower-case message.
    pub(crate) message: String,
    /// Hint.
    pub(crate) help: Option<String>,
    /// Text to paste, or quoted output.
    pub(crate) paste: Option<String>,
    /// Location in the sources, with the same message and help.
    pub(crate) diagnostic: Option<Box<Diagnostic>>,
}

impl Problem {
    /// Creates a problem with a hint.
    pub(crate) fn new(message: impl Into<String>, help: impl Into<String>) -> Self {
        Self {
            message: message.into(),
            help: Some(help.into()),
            paste: None,
            diagnostic: None,
        }
    }

    /// Returns the message on one line, after its location in the sources.
    pub(crate) fn summary(&self) -> String {
        let message = &self.message;
        match self.diagnostic.as_deref() {
            Some(at) if at.line > 0 => {
                format!("{}:{}:{}: {message}", at.path, at.line, at.column)
            }
            Some(at) => format!("{}: {message}", at.path),
            None => message.clone(),
        }
    }
}

impl From<Diagnostic> for Problem {
    fn from(diagnostic: Diagnostic) -> Self {
        Self {
            message: diagnostic.message.clone(),
            help: diagnostic.help.clone(),
            paste: None,
            diagnostic: Some(Box::new(diagnostic)),
        }
    }
}

impl From<NameError> for Problem {
    fn from(error: NameError) -> Self {
        Self::new(error.to_string(), error.help())
    }
}

impl From<Conflict> for Problem {
    fn from(conflict: Conflict) -> Self {
        Self {
            message: format!("{} {}", conflict.path, conflict.problem),
            help: Some(conflict.help),
            paste: conflict.paste,
            diagnostic: None,
        }
    }
}

/// Error of a command, with at least one problem.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Failure {
    /// All problems.
    pub(crate) problems: Vec<Problem>,
    /// Whether the arguments are invalid, rather than the project.
    pub(crate) usage: bool,
}

impl Failure {
    /// Creates the error of invalid arguments.
    pub(crate) fn usage(problems: Vec<Problem>) -> Self {
        Self {
            problems,
            usage: true,
        }
    }

    /// Creates the error of a valid command that fails.
    pub(crate) fn refused(problems: Vec<Problem>) -> Self {
        Self {
            problems,
            usage: false,
        }
    }

    /// Combines two failures without duplicates.
    pub(crate) fn and(mut self, other: Self) -> Self {
        for problem in other.problems {
            if !self.problems.contains(&problem) {
                self.problems.push(problem);
            }
        }
        self.usage |= other.usage;
        self
    }

    /// Returns 1, or 2 for invalid arguments.
    pub(crate) fn exit_code(&self) -> ExitCode {
        ExitCode::from(if self.usage { 2 } else { 1 })
    }
}

impl From<Problem> for Failure {
    fn from(problem: Problem) -> Self {
        Self::refused(vec![problem])
    }
}

impl From<DiskError> for Failure {
    fn from(error: DiskError) -> Self {
        Problem::new(error.to_string(), error.help()).into()
    }
}

impl From<Vec<Diagnostic>> for Failure {
    fn from(diagnostics: Vec<Diagnostic>) -> Self {
        Self::refused(diagnostics.into_iter().map(Problem::from).collect())
    }
}

impl From<Vec<Conflict>> for Failure {
    fn from(conflicts: Vec<Conflict>) -> Self {
        Self::refused(conflicts.into_iter().map(Problem::from).collect())
    }
}

impl From<DownloadError> for Problem {
    fn from(error: DownloadError) -> Self {
        Self::new(error.to_string(), error.help())
    }
}

impl From<DownloadError> for Failure {
    fn from(error: DownloadError) -> Self {
        Problem::from(error).into()
    }
}

impl From<kb_envtest::Error> for Failure {
    fn from(error: kb_envtest::Error) -> Self {
        let help = match &error {
            kb_envtest::Error::Incomplete { missing, .. }
                if missing.contains(&"kube-controller-manager") =>
            {
                Some(
                    "omit --controller-manager, or set KUBEBUILDER_ASSETS to a directory that contains it; `make control-plane` in a \
                     checkout of kb-rs builds one",
                )
            }
            error => error.help(),
        };
        let mut message = with_causes(&error);
        // The message of an error with `help` ends with it.
        if let Some(help) = error.help()
            && let Some(problem) = message.strip_suffix(&format!(": {help}"))
        {
            message.truncate(problem.len());
        }
        Problem {
            message,
            help: help.map(str::to_owned),
            paste: None,
            diagnostic: None,
        }
        .into()
    }
}

fn with_causes(error: &dyn std::error::Error) -> String {
    let causes = std::iter::successors(error.source(), |cause| cause.source());
    let texts = causes.map(|cause| format!(": {cause}"));
    format!("{error}{}", texts.collect::<String>())
}

/// Collects problems instead of stopping at the first.
#[derive(Debug, Default)]
pub(crate) struct Problems(Vec<Problem>);

impl Problems {
    /// Adds a problem unless present: two versions of a kind may break the same rule.
    pub(crate) fn push(&mut self, problem: Problem) {
        if !self.0.contains(&problem) {
            self.0.push(problem);
        }
    }

    /// Returns the value, or adds the problems of the error.
    pub(crate) fn take<T, E: IntoProblems>(&mut self, result: Result<T, E>) -> Option<T> {
        result
            .map_err(|error| {
                for problem in error.into_problems() {
                    self.push(problem);
                }
            })
            .ok()
    }

    /// Parses an optional value.
    pub(crate) fn parse<T>(&mut self, value: Option<&str>) -> Option<T>
    where
        T: std::str::FromStr<Err: IntoProblems>,
    {
        value.and_then(|value| self.take(value.parse()))
    }

    /// Returns the collected problems.
    pub(crate) fn into_vec(self) -> Vec<Problem> {
        self.0
    }
}

/// Conversion of an error into problems.
pub(crate) trait IntoProblems {
    /// Converts the error.
    fn into_problems(self) -> Vec<Problem>;
}

impl IntoProblems for NameError {
    fn into_problems(self) -> Vec<Problem> {
        vec![self.into()]
    }
}

impl IntoProblems for NameErrors {
    fn into_problems(self) -> Vec<Problem> {
        self.into_iter().map(Problem::from).collect()
    }
}

impl IntoProblems for Problem {
    fn into_problems(self) -> Vec<Problem> {
        vec![self]
    }
}

impl IntoProblems for Vec<Problem> {
    fn into_problems(self) -> Vec<Problem> {
        self
    }
}
