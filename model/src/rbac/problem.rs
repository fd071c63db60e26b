//! What is wrong with a rule, and which part of it.
//!
//! A problem names its place in the rule: the macro and the command both know where that was written, and show it there.

use super::Argument;

/// Something that is wrong with a rule, or wider than it is likely meant.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct Problem {
    /// Where it is.
    pub place: Place,
    /// What is wrong: a sentence without a full stop.
    pub message: String,
    /// What to do about it, in the same form.
    pub help: String,
}

/// A place in a rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// The rule as a whole: something is missing.
    Rule,
    /// An argument.
    Argument(Argument),
    /// An entry of an argument that is a list, from 0.
    Entry(Argument, usize),
}

impl Problem {
    pub(super) fn new(place: Place, message: impl Into<String>, help: impl Into<String>) -> Self {
        Self {
            place,
            message: message.into(),
            help: help.into(),
        }
    }
}
