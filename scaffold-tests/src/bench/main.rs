//! Measures kb-rs next to Kubebuilder and controller-gen: `make bench`.
//!
//! Each section prints medians, the ratio to the Go tool and the project's targets. Speed is reported, never asserted: the exit code is 0
//! unless kb-rs itself could not be measured. The tools take turns, so that a busy machine slows down both.

#![allow(
    clippy::print_stdout,
    clippy::print_stderr,
    clippy::disallowed_methods,
    reason = "a development tool that runs other programs and prints tables"
)]

mod create;
mod generate;
mod operators;
mod pair;
mod report;
mod samples;
mod tool;

use std::process::ExitCode;

use clap::{Parser, ValueEnum};

/// Measure kb-rs next to Kubebuilder and controller-gen.
///
/// Measures the kb-rs binary next to its own executable. The Go tools are built once, with go, into
/// `${XDG_CACHE_HOME:-~/.cache}/kb-rs/bench`; without go, kb-rs is measured alone.
#[derive(Debug, Parser)]
struct Options {
    /// Sections to run [default: all]
    #[arg(value_enum)]
    sections: Vec<Section>,
    /// Runs per measurement; slow ones use at most 5
    #[arg(long, default_value_t = 15, value_parser = clap::value_parser!(u32).range(1..))]
    runs: u32,
    /// Number of objects for `operators` (repeatable)
    #[arg(long, default_values_t = [3000, 10_000], value_parser = clap::value_parser!(u32).range(1..))]
    objects: Vec<u32>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Section {
    /// `init` and `create api`, compared with Kubebuilder
    Create,
    /// `generate` for 1 to 1000 kinds, compared with controller-gen
    Generate,
    /// An operator under load, compared with one built with Kubebuilder; needs `make control-plane`
    Operators,
}

impl Options {
    /// Number of runs of a slow measurement.
    fn slow_runs(&self) -> u32 {
        self.runs.min(5)
    }
}

fn main() -> ExitCode {
    let options = Options::parse();
    let sections = match options.sections.as_slice() {
        [] => Section::value_variants(),
        sections => sections,
    };
    let mut code = ExitCode::SUCCESS;
    for section in sections {
        let result = match section {
            Section::Create => create::run(&options),
            Section::Generate => generate::run(&options),
            Section::Operators => operators::run(&options),
        };
        if let Err(error) = result {
            eprintln!("error: {section:?}: {error:#}");
            code = ExitCode::FAILURE;
        }
    }
    code
}
