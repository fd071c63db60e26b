//! What is wrong with a name.
//!
//! A [`NameError`] keeps its parts apart (which name, the value, the problem, what to do about it), so that the
//! command, a macro and a serde error can each lay them out in their own way with the same words. [`NameErrors`]
//! carries several, where a value has several parts: a user is told of all of them at once.

use std::fmt;

/// A value that breaks the rule of its name.
///
/// `Display` gives one line without the help: `kind "app-service" contains the character '-'`.
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

    /// Which name it is: `kind`, `API group`, `project name`.
    pub fn what(&self) -> &'static str {
        self.what
    }

    /// The value, as the user wrote it.
    pub fn value(&self) -> &str {
        &self.value
    }

    /// What is wrong: a phrase that follows the value, lower-case, without a full stop.
    pub fn problem(&self) -> &str {
        &self.problem
    }

    /// What to do about it, in the same form as the problem.
    pub fn help(&self) -> &str {
        &self.help
    }
}

/// All that is wrong with a value of several parts; never empty.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NameErrors(Vec<NameError>);

impl NameErrors {
    pub(crate) fn new(errors: Vec<NameError>) -> Self {
        debug_assert!(!errors.is_empty(), "no errors is not an error");
        Self(errors)
    }

    /// The errors, in the order of the value's parts.
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
