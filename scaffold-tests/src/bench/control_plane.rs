//! How long a control plane takes to start, and an operator to be ready.
//!
//! One section of the benchmark. The control plane is the one that tests run against; that of an operator is the same, with nothing in it
//! but the CRD. The operators are those of [`crate::operators`], and take turns.

use std::time::Instant;

use anyhow::{Context, Result};
use kb_envtest::Environment;

use crate::{
    kubebuilder::Absence,
    machine,
    operators::{Operators, Plane, Program},
    options::Options,
    samples::Samples,
    table::{aligned, compared},
};

const HEAD: [&str; 5] = ["control plane", "kb-rs", "Kubebuilder", "ratio", "target"];

/// What is measured.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Measure {
    /// Until a control plane serves.
    Plane,
    /// Until an operator is ready.
    Operator,
}

/// The figures.
#[derive(Debug, Default)]
struct Figures {
    kb_rs: Samples<Measure>,
    rival: Samples<Measure>,
}

/// Measures both, and prints the report.
pub(crate) fn run(options: &Options) -> Result<()> {
    let machine = machine::describe();
    Plane::check()?;
    let runtime = tokio::runtime::Runtime::new().context("cannot start tokio")?;
    let mut operators = Operators::build()?;
    let figures = runtime.block_on(async {
        let mut figures = Figures::default();
        figures.planes(options.series()).await?;
        figures.operators(options.runs, &mut operators).await?;
        Ok::<_, anyhow::Error>(figures)
    })?;
    print!("{}", report(&figures, options, &operators, &machine));
    Ok(())
}

impl Figures {
    async fn planes(&mut self, rounds: usize) -> Result<()> {
        for round in 1..=rounds {
            eprintln!("bench: control plane: {round} of {rounds}");
            let start = Instant::now();
            let environment = Environment::builder().start().await;
            let environment = environment.context("the control plane does not start")?;
            self.kb_rs.time(Measure::Plane, start.elapsed());
            environment.stop().await;
        }
        Ok(())
    }

    async fn operators(&mut self, rounds: usize, operators: &mut Operators) -> Result<()> {
        let plane = Plane::start(&operators.crd).await?;
        for round in 1..=rounds {
            eprintln!("bench: control plane, operators: {round} of {rounds}");
            ready(&operators.kb_rs, &plane, &mut self.kb_rs)?;
            if let Ok(program) = &operators.rival
                && let Err(error) = ready(program, &plane, &mut self.rival)
            {
                eprintln!("bench: going on without Kubebuilder's operator: {error:#}");
                operators.rival = Err(Absence::Failed(error));
            }
        }
        plane.environment.stop().await;
        Ok(())
    }
}

/// From the start of an operator until it is ready.
fn ready(program: &Program, plane: &Plane, samples: &mut Samples<Measure>) -> Result<()> {
    let start = Instant::now();
    program.start(plane, "default")?.ready()?;
    samples.time(Measure::Operator, start.elapsed());
    Ok(())
}

fn report(figures: &Figures, options: &Options, operators: &Operators, machine: &str) -> String {
    let both = |measure| [&figures.kb_rs, &figures.rival].map(|samples| samples.median(measure));
    let rows = [
        compared(
            "etcd and kube-apiserver serve",
            "ms",
            both(Measure::Plane),
            None,
        ),
        compared("an operator is ready", "ms", both(Measure::Operator), None),
    ];
    format!(
        "\n{}\n\
         machine      {machine}\n\
         runs         medians of {} control planes and {} operators\n\
         serve        from nothing until `Environment::builder().start()` of kb-envtest is done: keys, etcd, kube-apiserver\n\
         ready        from the start of the process until /readyz says 200. kb's waits for full caches; Kubebuilder's does not\n\
         kb-rs        as `kb-rs init` and `create api` make it, `cargo build --release`\n\
         Kubebuilder  {}\n",
        aligned(HEAD, &rows),
        options.series(),
        options.runs,
        operators.describe_rival()
    )
}
