//! The only part that prints.
//!
//! Lists go to standard output, notes and problems to standard error; with `--output json` one document holds everything.
//! Colour is anstream's affair: only on a terminal, never with `NO_COLOR`.

mod diagnostic;
mod diff;
mod escape;
mod palette;
mod progress;
mod prompt;
mod report;
mod text;

pub(crate) use diff::difference;
pub(crate) use prompt::Prompt;
pub(crate) use report::{Outcome, Report};
pub(crate) use text::{Format, Printer, Verbosity, write_stdout};
