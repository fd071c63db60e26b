//! Text output.

use std::{io::Write, path::Path};

use anstream::AutoStream;
use serde::Serialize;

use super::{
    diagnostic::{Level, render},
    diff,
    escape::{escaped, escaped_json},
    palette::{ADDED, CHANGED, ERROR, HINT, QUIET, REMOVED},
    progress::Bar,
    report::Report,
};
use crate::{
    plan::{Action, Change, RelPath},
    problem::Problem,
    source::Diagnostic,
};

/// Prints a line to standard output. Ignores a closed pipe, such as that of `head`.
macro_rules! out {
    ($($argument:tt)*) => {{
        let _ = writeln!(anstream::stdout(), $($argument)*);
    }};
}

/// Prints a line to standard error.
macro_rules! err {
    ($($argument:tt)*) => {{
        let _ = writeln!(anstream::stderr(), $($argument)*);
    }};
}

/// Output format.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, clap::ValueEnum)]
pub(crate) enum Format {
    /// Human-readable text.
    #[default]
    Text,
    /// One JSON document.
    Json,
}

/// Amount of output.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Verbosity {
    /// Problems.
    Quiet,
    /// Also changes and notes.
    Normal,
    /// Also unchanged files.
    Verbose,
}

/// Prints text, or JSON documents if selected.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Printer {
    format: Format,
    verbosity: Verbosity,
}

impl Printer {
    pub(crate) fn new(format: Format, verbosity: Verbosity) -> Self {
        Self { format, verbosity }
    }

    fn prints(self, level: Verbosity) -> bool {
        self.format == Format::Text && self.verbosity >= level
    }

    /// Prints a changed file.
    pub(crate) fn change(self, change: &Change) {
        let style = match change.action {
            Action::Create => ADDED,
            Action::Modify => CHANGED,
            Action::Overwrite | Action::Remove => REMOVED,
        };
        let (verb, path) = (change.action.verb(), change.path.as_str());
        self.listed(style, verb, path, Verbosity::Normal);
    }

    /// Prints a file that differs and is kept.
    pub(crate) fn kept(self, path: &RelPath) {
        self.listed(QUIET, "keep", path.as_str(), Verbosity::Normal);
    }

    /// Prints a file that is up to date.
    pub(crate) fn unchanged(self, path: &RelPath) {
        self.listed(QUIET, "unchanged", path.as_str(), Verbosity::Verbose);
    }

    fn listed(self, style: anstyle::Style, verb: &str, path: &str, level: Verbosity) {
        if self.prints(level) {
            out!("{style}{verb:>9}{style:#} {}", escaped(path));
        }
    }

    /// Prints the diff of a change.
    pub(crate) fn diff(self, change: &Change) {
        if !self.prints(Verbosity::Quiet) {
            return;
        }
        for line in diff::unified(change).lines() {
            let style = match line.as_bytes().first() {
                _ if line.starts_with("+++") || line.starts_with("---") => QUIET,
                Some(b'+') => ADDED,
                Some(b'-') => REMOVED,
                Some(b'@') => QUIET,
                _ => anstyle::Style::new(),
            };
            out!("{style}{}{style:#}", escaped(line));
        }
    }

    /// Prints a note, also with JSON output: it goes to standard error.
    pub(crate) fn note(self, text: &str) {
        if self.verbosity >= Verbosity::Normal {
            err!("{HINT}note{HINT:#}: {}", escaped(text));
        }
    }

    /// Prints the next steps.
    pub(crate) fn next(self, steps: &[String]) {
        if self.prints(Verbosity::Normal) && !steps.is_empty() {
            out!();
            out!("{HINT}next{HINT:#}:");
            for step in steps {
                out!("  {}", escaped(step));
            }
        }
    }

    /// Prints problems, or a failure report.
    pub(crate) fn problems(self, problems: &[Problem]) {
        if self.format == Format::Json {
            self.document(&Report::failed(problems));
            return;
        }
        problems.iter().for_each(print_problem);
    }

    /// Prints a problem that a JSON report also contains.
    pub(crate) fn problem_text(self, problem: &Problem) {
        if self.format == Format::Text {
            print_problem(problem);
        }
    }

    /// Prints a warning about the sources.
    pub(crate) fn warning(self, warning: &Diagnostic) {
        if self.verbosity >= Verbosity::Normal {
            err!("{}", render(warning, Level::Warning).trim_end());
        }
    }

    /// Prints a problem that does not stop the command, also with JSON output: it goes to standard error.
    pub(crate) fn problem_as_warning(self, problem: &Problem) {
        if let Some(diagnostic) = &problem.diagnostic {
            self.warning(diagnostic);
        } else if self.verbosity >= Verbosity::Normal {
            let style = Level::Warning.style();
            err!("{style}warning{style:#}: {}", escaped(&problem.message));
            print_help(problem);
        }
    }

    /// Prints a line.
    pub(crate) fn line(self, text: &str) {
        if self.prints(Verbosity::Normal) {
            out!("{}", escaped(text));
        }
    }

    /// Prints the result of a command, even with `--quiet`.
    pub(crate) fn result(self, text: &str) {
        if self.prints(Verbosity::Quiet) {
            out!("{}", escaped(text));
        }
    }

    /// Prints a removed path outside the project.
    pub(crate) fn removed(self, path: &Path) {
        let path = path.display().to_string();
        self.listed(REMOVED, Action::Remove.verb(), &path, Verbosity::Normal);
    }

    /// Creates a progress bar.
    pub(crate) fn bar(self) -> Bar {
        Bar::new(self.prints(Verbosity::Normal))
    }

    /// Prints a JSON document, if selected.
    pub(crate) fn document(self, document: &impl Serialize) {
        if self.format == Format::Json {
            let text = serde_json::to_string_pretty(document).expect("all map keys are strings");
            out!("{}", escaped_json(&text));
        }
    }
}

fn print_problem(problem: &Problem) {
    if let Some(diagnostic) = &problem.diagnostic {
        err!("{}", render(diagnostic, Level::Error));
        return;
    }
    err!("{ERROR}error{ERROR:#}: {}", escaped(&problem.message));
    print_help(problem);
    if let Some(paste) = &problem.paste {
        err!();
        for line in paste.lines() {
            err!("    {}", escaped(line));
        }
        err!();
    }
}

fn print_help(problem: &Problem) {
    if let Some(help) = &problem.help {
        err!("  {HINT}help{HINT:#}: {}", escaped(help));
    }
}

/// Writes text verbatim, such as a completion script. Ignores a closed pipe.
pub(crate) fn write_stdout(text: &str) {
    let stdout = std::io::stdout().lock();
    let _ = AutoStream::never(stdout).write_all(text.as_bytes());
}
