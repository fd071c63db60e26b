//! Errors of names.
//!
//! A [`NameError`] keeps its parts separate (kind of name, value, problem, hint), so that CLI, macros and serde can format them. [`NameErrors`] has
//! several, for values with several parts.

use std::fmt;

/// An invalid name.
///
/// `Display` is one line without the hint: `kind "app-service" contains the character '-'`.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{what} {value:?} {problem}")]
pub struct NameError {
    what: &'static str,
    value: String,
    problem: String,
    help: String,
}

impl NameError {
    pub(crate) fn new(
        what: &'static str,
        value: &str,
        problem: impl Into<String>,
        help: impl Into<String>,
    ) -> Self {
        Self {
            what,
            value: value.to_owned(),
            problem: problem.into(),
            help: help.into(),
        }
    }

    /// Returns the kind of name: `kind`, `API group`, `project name`.
    pub fn what(&self) -> &'static str {
        self.what
    }

    /// Returns the value as written by the user.
    pub fn value(&self) -> &str {
        &self.value
    }

    /// Returns the problem: a phrase that follows the value, lower case, without a period.
    pub fn problem(&self) -> &str {
        &self.problem
    }

    /// Returns the hint, in the same form.
    pub fn help(&self) -> &str {
        &self.help
    }
}

/// Errors of a value with several parts; never empty.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NameErrors(Vec<NameError>);

impl NameErrors {
    pub(crate) fn new(errors: Vec<NameError>) -> Self {
        debug_assert!(!errors.is_empty(), "at least one error");
        Self(errors)
    }

    /// Returns the errors, in the order of the parts.
    pub fn iter(&self) -> std::slice::Iter<'_, NameError> {
        self.0.iter()
    }
}

impl fmt::Display for NameErrors {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, error) in self.0.iter().enumerate() {
            if index > 0 {
                f.write_str("\n")?;
            }
            error.fmt(f)?;
        }
        Ok(())
    }
}

impl std::error::Error for NameErrors {}

impl From<NameError> for NameErrors {
    fn from(error: NameError) -> Self {
        Self(vec![error])
    }
}

impl IntoIterator for NameErrors {
    type Item = NameError;
    type IntoIter = std::vec::IntoIter<NameError>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.into_iter()
    }
}

impl<'a> IntoIterator for &'a NameErrors {
    type Item = &'a NameError;
    type IntoIter = std::slice::Iter<'a, NameError>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.iter()
    }
}
