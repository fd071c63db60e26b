//! Problems of a rule.
//!
//! A problem refers to a part of the rule, which macro and CLI map to the source.

use super::Argument;

/// A problem or warning.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct Problem {
    /// Affected part.
    pub location: Location,
    /// Problem: a sentence without a period.
    pub message: String,
    /// Hint, in the same form.
    pub help: String,
}

/// A part of a rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Location {
    /// The whole rule: something is missing.
    Rule,
    /// An argument.
    Argument(Argument),
    /// An entry of a list argument, from 0.
    Entry(Argument, usize),
}

impl Problem {
    pub(super) fn new(
        location: Location,
        message: impl Into<String>,
        help: impl Into<String>,
    ) -> Self {
        Self {
            location,
            message: message.into(),
            help: help.into(),
        }
    }
}
