//! Operators at work: one that kb-rs made beside one that Kubebuilder made, on the same control plane.
//!
//! One section of the benchmark, and what the section of the control plane takes its operators from. Both operators do the same: each
//! Widget gets a `ConfigMap` that it owns, and a Ready condition in its status. [`own`] and [`rival`] make them with the two
//! tools and put the same work into each, [`program`] runs them, [`plane`] is where they run. [`widgets`] makes the objects and sees when
//! they are ready, [`requests`] counts what an operator sent, [`session`] decides on the order, [`report`] prints.

mod own;
mod plane;
mod program;
mod report;
mod requests;
mod rival;
mod session;
mod widgets;

use anyhow::{Context, Result};
use serde_json::Value;

use crate::{kubebuilder::Absence, machine, options::Options, tool::Tool};

pub(crate) use {plane::Plane, program::Program};

/// Both operators, built.
#[derive(Debug)]
pub(crate) struct Operators {
    pub(crate) kb_rs: Program,
    pub(crate) rival: Result<Program, Absence>,
    /// The CRD of their kind.
    pub(crate) crd: Value,
}

impl Operators {
    /// Makes and builds both. Where the Go one cannot be had, there is none.
    pub(crate) fn build() -> Result<Self> {
        let project = own::make(&Tool::kb_rs()?)?;
        let rival = rival::make();
        match &rival {
            Ok(_) => {}
            Err(Absence::NoGo) => {
                eprintln!(
                    "bench: going on without Kubebuilder's operator: there is no `go` to build it with"
                );
            }
            Err(Absence::Failed(error)) => {
                eprintln!("bench: going on without Kubebuilder's operator: {error:#}");
            }
        }
        Ok(Self {
            kb_rs: project.program,
            rival,
            crd: project.crd,
        })
    }

    /// What the Go operator is, or why it is not measured, for the reports.
    pub(crate) fn describe_rival(&self) -> String {
        match &self.rival {
            Ok(_) => rival::describe(),
            Err(Absence::NoGo) => {
                "not measured, because there is no `go` to build it with".to_owned()
            }
            Err(Absence::Failed(_)) => {
                "not measured, because it failed: the reason is above".to_owned()
            }
        }
    }
}

/// Measures operators at work, and prints the report.
pub(crate) fn run(options: &Options) -> Result<()> {
    let machine = machine::describe();
    Plane::check()?;
    let runtime = tokio::runtime::Runtime::new().context("cannot start tokio")?;
    let operators = Operators::build()?;
    let mut session = session::Session::new(options, operators);
    runtime.block_on(session.run())?;
    print!("{}", report::text(&session, &machine));
    Ok(())
}
