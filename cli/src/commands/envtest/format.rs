//! The output flags of `kb-rs envtest`.

use crate::show::{Format, Printer, Verbosity};

/// Output format and verbosity.
#[derive(Debug, Clone, Copy, clap::Args)]
#[command(next_help_heading = "Output")]
pub(super) struct FormatArgs {
    /// Output format
    #[arg(long, value_enum, value_name = "FORMAT", default_value_t)]
    output: Format,
    /// Print only errors and the requested output
    #[arg(short, long)]
    quiet: bool,
}

impl FormatArgs {
    /// Returns the printer.
    pub(super) fn printer(self) -> Printer {
        let verbosity = if self.quiet {
            Verbosity::Quiet
        } else {
            Verbosity::Normal
        };
        Printer::new(self.output, verbosity)
    }
}
