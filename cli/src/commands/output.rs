//! The output flags of every command that changes files.

use crate::show::{Format, Printer, Prompt, Verbosity};

/// How a command shows its changes.
#[derive(Debug, Clone, Copy, clap::Args)]
#[command(next_help_heading = "Output")]
#[allow(
    clippy::struct_excessive_bools,
    reason = "each is a flag of the command line"
)]
pub(super) struct OutputArgs {
    /// List the changes without writing them
    #[arg(long)]
    pub(super) dry_run: bool,
    /// Print the changes as a diff without writing them
    #[arg(long)]
    pub(super) diff: bool,
    /// Output format
    #[arg(long, value_enum, value_name = "FORMAT", default_value_t)]
    output: Format,
    /// Print only errors and --diff output
    #[arg(short, long, conflicts_with = "verbose")]
    quiet: bool,
    /// Also list unchanged files
    #[arg(short, long)]
    verbose: bool,
}

impl OutputArgs {
    /// Returns the printer.
    pub(super) fn printer(self) -> Printer {
        let verbosity = match (self.quiet, self.verbose) {
            (true, _) => Verbosity::Quiet,
            (_, true) => Verbosity::Verbose,
            _ => Verbosity::Normal,
        };
        Printer::new(self.output, verbosity)
    }

    /// Returns the prompt, which does not ask anything with JSON output.
    pub(super) fn prompt(self) -> Prompt {
        Prompt::new(self.output == Format::Text && !self.quiet)
    }

    /// Returns whether the output is JSON.
    pub(super) fn is_json(self) -> bool {
        self.output == Format::Json
    }

    /// Returns whether only problems are printed.
    pub(super) fn is_quiet(self) -> bool {
        self.quiet
    }

    /// Prints only problems from now on.
    pub(super) fn be_quiet(&mut self) {
        self.quiet = true;
    }

    /// Returns whether the command writes nothing.
    pub(super) fn is_dry_run(self) -> bool {
        self.dry_run || self.diff
    }
}
