//! All terminal output.
//!
//! Lists go to standard output, notes and problems to standard error; `--output json` prints one document instead.
//! anstream strips colors outside a terminal and with `NO_COLOR`.

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
pub(crate) use report::{Report, RunOutcome};
pub(crate) use text::{Format, Printer, Verbosity, write_stdout};
