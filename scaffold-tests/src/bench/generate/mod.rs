//! From types to CRDs: how long it takes to write them, and to compile them.
//!
//! Two sections of the benchmark. `generate` calls `kb-rs generate` in projects of 1 to 1000 kinds, and controller-gen on the same API in
//! Go; `compile` builds 100 kinds with kb's attributes, and with plain kube derives. [`kinds`] has the API in the three spellings,
//! [`project`] puts it on disk, [`session`] decides on the calls and their order, [`report`] prints.

mod compile;
pub(crate) mod controller_gen;
mod kinds;
mod project;
mod report;
mod session;
mod style;

use anyhow::Result;

use crate::{machine, memory::Meter, options::Options};

/// Measures `kb-rs generate`, and prints the report.
pub(crate) fn generate(options: &Options) -> Result<()> {
    let machine = machine::describe();
    let mut session = session::Session::new(options, Meter::detect()?)?;
    session.run()?;
    print!("{}", report::generate(&session, &machine));
    Ok(())
}

/// Measures the compile time of an API, and prints the report.
pub(crate) fn compile(options: &Options) -> Result<()> {
    let machine = machine::describe();
    let comparison = compile::run(options)?;
    print!("{}", report::compile(&comparison, &machine));
    Ok(())
}
