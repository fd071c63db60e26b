//! How these commands show what they do.

use crate::show::{Format, Printer, Verbosity};

/// The format, and how much of it.
#[derive(Debug, Clone, Copy, clap::Args)]
#[command(next_help_heading = "Output")]
pub(super) struct ShownArgs {
    /// Print lines for people, or one JSON document for programs
    #[arg(long, value_enum, value_name = "FORMAT", default_value_t)]
    output: Format,
    /// Print nothing but problems, and what is asked for
    #[arg(short, long)]
    quiet: bool,
}

impl ShownArgs {
    /// What prints.
    pub(super) fn printer(self) -> Printer {
        let verbosity = if self.quiet {
            Verbosity::Quiet
        } else {
            Verbosity::Normal
        };
        Printer::new(self.output, verbosity)
    }
}
