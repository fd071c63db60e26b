//! Lines for people.

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

/// Prints a line. A reader that has gone, as `head` does, is no error.
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

/// What is printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, clap::ValueEnum)]
pub(crate) enum Format {
    /// Lines for people.
    #[default]
    Text,
    /// One document for programs.
    Json,
}

/// How much is printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Verbosity {
    /// Problems only.
    Quiet,
    /// What changes.
    Normal,
    /// Also what stays.
    Verbose,
}

/// Prints for people, and keeps silent where a document is wanted.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Printer {
    format: Format,
    verbosity: Verbosity,
}

impl Printer {
    pub(crate) fn new(format: Format, verbosity: Verbosity) -> Self {
        Self { format, verbosity }
    }

    fn speaks(self, least: Verbosity) -> bool {
        self.format == Format::Text && self.verbosity >= least
    }

    /// A line of the list of files.
    pub(crate) fn change(self, change: &Change) {
        let style = match change.action {
            Action::Create => ADDED,
            Action::Modify => CHANGED,
            Action::Overwrite | Action::Remove => REMOVED,
        };
        let (verb, path) = (change.action.verb(), change.path.as_str());
        self.listed(style, verb, path, Verbosity::Normal);
    }

    /// A file of the user that stays as it is.
    pub(crate) fn kept(self, path: &RelPath) {
        self.listed(QUIET, "keep", path.as_str(), Verbosity::Normal);
    }

    /// A file that is already as it should be.
    pub(crate) fn unchanged(self, path: &RelPath) {
        self.listed(QUIET, "same", path.as_str(), Verbosity::Verbose);
    }

    fn listed(self, style: anstyle::Style, verb: &str, path: &str, least: Verbosity) {
        if self.speaks(least) {
            out!("{style}{verb:>9}{style:#} {}", escaped(path));
        }
    }

    /// The text of a change.
    pub(crate) fn diff(self, change: &Change) {
        if !self.speaks(Verbosity::Quiet) {
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

    /// A remark. It goes to standard error, and so does not disturb a document.
    pub(crate) fn note(self, text: &str) {
        if self.verbosity >= Verbosity::Normal {
            err!("{HINT}note{HINT:#}: {}", escaped(text));
        }
    }

    /// What to do now.
    pub(crate) fn next(self, steps: &[String]) {
        if self.speaks(Verbosity::Normal) && !steps.is_empty() {
            out!();
            out!("{HINT}next{HINT:#}:");
            for step in steps {
                out!("  {}", escaped(step));
            }
        }
    }

    /// Everything that is wrong.
    pub(crate) fn problems(self, problems: &[Problem]) {
        if self.format == Format::Json {
            self.report(&Report::failed(problems));
            return;
        }
        problems.iter().for_each(lines_of);
    }

    /// Everything that is wrong, where the document for programs says it, too.
    pub(crate) fn problem_lines(self, problem: &Problem) {
        if self.format == Format::Text {
            lines_of(problem);
        }
    }

    /// Something odd in the sources.
    pub(crate) fn warning(self, warning: &Diagnostic) {
        if self.verbosity >= Verbosity::Normal {
            err!("{}", render(warning, Level::Warning).trim_end());
        }
    }

    /// A line about what was done.
    pub(crate) fn line(self, text: &str) {
        if self.speaks(Verbosity::Normal) {
            out!("{}", escaped(text));
        }
    }

    /// What was asked for.
    pub(crate) fn answer(self, text: &str) {
        if self.speaks(Verbosity::Quiet) {
            out!("{}", escaped(text));
        }
    }

    /// A file or folder outside of the project that was, or would be, removed.
    pub(crate) fn removed(self, path: &Path) {
        let path = path.display().to_string();
        self.listed(REMOVED, Action::Remove.verb(), &path, Verbosity::Normal);
    }

    /// A bar for what takes long.
    pub(crate) fn bar(self) -> Bar {
        Bar::new(self.speaks(Verbosity::Normal))
    }

    /// A document of its own for programs.
    pub(crate) fn document(self, document: &impl Serialize) {
        if self.format == Format::Json {
            let text = serde_json::to_string_pretty(document).expect("it has text keys only");
            out!("{}", escaped_json(&text));
        }
    }

    /// What a run of a watch did.
    pub(crate) fn watched(self, text: &str) {
        if self.speaks(Verbosity::Normal) {
            out!("{}", escaped(text));
        }
    }

    /// The document for programs.
    pub(crate) fn report(self, report: &Report) {
        if self.format == Format::Json {
            let document = serde_json::to_string_pretty(report).expect("a report is JSON");
            out!("{}", escaped_json(&document));
        }
    }
}

fn lines_of(problem: &Problem) {
    if let Some(diagnostic) = &problem.diagnostic {
        err!("{}", render(diagnostic, Level::Error));
        return;
    }
    err!("{ERROR}error{ERROR:#}: {}", escaped(&problem.message));
    if let Some(help) = &problem.help {
        err!("  {HINT}help{HINT:#}: {}", escaped(help));
    }
    if let Some(paste) = &problem.paste {
        err!();
        for line in paste.lines() {
            err!("    {}", escaped(line));
        }
        err!();
    }
}

/// Writes text as it is, such as a completion script. A reader that has gone, as `head` does, is no error.
pub(crate) fn write_stdout(text: &str) {
    let stdout = std::io::stdout().lock();
    let _ = AutoStream::never(stdout).write_all(text.as_bytes());
}
