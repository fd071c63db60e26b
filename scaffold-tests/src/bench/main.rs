//! Measures kb-rs, and what it is compared with: `make bench`.
//!
//! Six sections, each with a report: scaffolding beside Kubebuilder, `generate` beside controller-gen, the compile time of an API beside
//! that of plain kube derives, what the library costs an operator beside plain kube, how long a control plane and an operator take to
//! start, and an operator at work beside one of Kubebuilder. All but the fourth measure wall time and peak memory of whole processes, as a
//! user waits for them. All give medians, in an aligned table, with the project's targets and whether they were met. Speed is reported,
//! never asserted: it ends with 0 unless kb-rs could not be measured at all.
//!
//! [`tool`] says what is called, [`call`] and [`memory`] measure one call, [`session`] decides on calls and their order, [`table`]
//! prints. [`kubebuilder`] builds Kubebuilder and keeps the go command out of its way. [`generate`] holds the second section and
//! the third, [`runtime`] the fourth, [`control_plane`] the fifth and [`operators`] the last.

#![allow(
    clippy::print_stdout,
    clippy::print_stderr,
    clippy::disallowed_methods,
    reason = "a developer's tool: it starts what it measures in folders of its own, and its output is the table"
)]

mod call;
mod control_plane;
mod generate;
mod kubebuilder;
mod machine;
mod memory;
mod operators;
mod options;
mod runtime;
mod samples;
mod session;
mod table;
mod tool;

use std::process::ExitCode;

use anyhow::Result;

use crate::{
    memory::Meter,
    options::{HELP, Options, Request, Section},
    session::{Rival, Session},
    tool::Tool,
};

fn main() -> ExitCode {
    let options = match options::parse(std::env::args().skip(1)) {
        Ok(Request::Measure(options)) => options,
        Ok(Request::Hold(holder)) => {
            let Err(error) = holder.hold() else {
                return ExitCode::SUCCESS;
            };
            eprintln!("error: cannot hold {holder:?}: {error:#}");
            return ExitCode::FAILURE;
        }
        Ok(Request::Help) => {
            print!("{HELP}");
            return ExitCode::SUCCESS;
        }
        Err(problem) => {
            eprintln!("error: {problem}\n\n{HELP}");
            return ExitCode::from(2);
        }
    };
    let mut code = ExitCode::SUCCESS;
    for section in &options.sections {
        let measured = match section {
            Section::Create => create(&options),
            Section::Generate => generate::generate(&options),
            Section::Compile => generate::compile(&options),
            Section::Runtime => runtime::run(&options),
            Section::ControlPlane => control_plane::run(&options),
            Section::Operators => operators::run(&options),
        };
        // What one section lacks is no reason to go without the others.
        if let Err(error) = measured {
            eprintln!("error: cannot measure `{}`: {error:#}", section.name());
            code = ExitCode::FAILURE;
        }
    }
    code
}

fn create(options: &Options) -> Result<()> {
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
