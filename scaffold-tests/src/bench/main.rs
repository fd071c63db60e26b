//! Measures kb-rs, and Kubebuilder beside it where go is installed: `make bench`.
//!
//! Wall time and peak memory of whole processes, as a user waits for them: medians, in an aligned table, with the project's targets
//! and whether they were met. Speed is reported, never asserted: it ends with 0 unless kb-rs could not be measured at all.
//!
//! [`tool`] says what is called, [`call`] and [`memory`] measure one call, [`session`] decides on calls and their order, [`table`]
//! prints. [`kubebuilder`] builds Kubebuilder and keeps the go command out of its way.

#![allow(
    clippy::print_stdout,
    clippy::print_stderr,
    clippy::disallowed_methods,
    reason = "a developer's tool: it starts what it measures in folders of its own, and its output is the table"
)]

mod call;
mod kubebuilder;
mod machine;
mod memory;
mod options;
mod samples;
mod session;
mod table;
mod tool;

use std::process::ExitCode;

use anyhow::Result;

use crate::{
    memory::Meter,
    options::{HELP, Options, Request},
    session::{Rival, Session},
    tool::Tool,
};

fn main() -> ExitCode {
    let options = match options::parse(std::env::args().skip(1)) {
        Ok(Request::Measure(options)) => options,
        Ok(Request::Help) => {
            print!("{HELP}");
            return ExitCode::SUCCESS;
        }
        Err(problem) => {
            eprintln!("error: {problem}\n\n{HELP}");
            return ExitCode::from(2);
        }
    };
    match bench(&options) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: cannot measure: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn bench(options: &Options) -> Result<()> {
    let kb_rs = Tool::kb_rs()?;
    let rival = match kubebuilder::prepare() {
        Ok(tool) => Rival::measured(tool),
        Err(absence) => Rival::absent(absence),
    };
    let meter = Meter::detect()?;
    let machine = machine::describe();
    let mut session = Session::new(options, meter, kb_rs, rival);
    session.run()?;
    print!("{}", table::report(&session, &machine));
    Ok(())
}
