//! What each operator is measured by, and in which order.
//!
//! All Widgets are there when the operator starts, so that nothing else works meanwhile but the control plane, which is the same for both. An
//! operator sees the Widgets of one namespace, and they are deleted afterwards. The operators take turns, and the first of a round is the
//! second of the next.

use std::time::Instant;

use anyhow::Result;

use super::{
    Operators, Plane, Program,
    program::rest,
    requests::{About, Count},
    widgets::Widgets,
};
use crate::{kubebuilder::Absence, options::Options, samples::Samples, table::shown};

/// What is measured, at a number of objects.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Measure {
    /// From the start of the operator until all are ready, in milliseconds.
    Time(u32),
    /// Processor time until the operator is at rest, in seconds.
    Processor(u32),
    /// Peak memory until then.
    Memory(u32),
    /// Requests until then.
    Requests(u32, About),
}

/// A whole measurement.
#[derive(Debug)]
pub(crate) struct Session<'a> {
    pub(crate) options: &'a Options,
    pub(crate) operators: Operators,
    pub(crate) kb_rs: Samples<Measure>,
    pub(crate) rival: Samples<Measure>,
}

impl<'a> Session<'a> {
    pub(crate) fn new(options: &'a Options, operators: Operators) -> Self {
        Self {
            options,
            operators,
            kb_rs: Samples::default(),
            rival: Samples::default(),
        }
    }

    /// Measures both.
    pub(crate) async fn run(&mut self) -> Result<()> {
        let plane = Plane::start(&self.operators.crd).await?;
        let rounds = self.options.series();
        for &count in &self.options.objects {
            for round in 1..=rounds {
                eprintln!("bench: operators, {count} objects: {round} of {rounds}");
                let own_first = round % 2 == 1;
                if own_first {
                    self.own(&plane, count, round).await?;
                }
                self.other(&plane, count, round).await;
                if !own_first {
                    self.own(&plane, count, round).await?;
                }
            }
        }
        plane.environment.stop().await;
        Ok(())
    }

    async fn own(&mut self, plane: &Plane, count: u32, round: usize) -> Result<()> {
        let namespace = format!("kb-rs-{count}-{round}");
        measure(
            &self.operators.kb_rs,
            plane,
            namespace,
            count,
            &mut self.kb_rs,
        )
        .await
    }

    /// A failure of the Go operator ends its part in the comparison, and nothing else.
    async fn other(&mut self, plane: &Plane, count: u32, round: usize) {
        let namespace = format!("kubebuilder-{count}-{round}");
        if let Ok(program) = &self.operators.rival
            && let Err(error) = measure(program, plane, namespace, count, &mut self.rival).await
        {
            eprintln!("bench: going on without Kubebuilder's operator: {error:#}");
            self.operators.rival = Err(Absence::Failed(error));
        }
    }
}

/// One operator on so many objects.
async fn measure(
    program: &Program,
    plane: &Plane,
    namespace: String,
    count: u32,
    samples: &mut Samples<Measure>,
) -> Result<()> {
    let widgets = Widgets::make(&plane.client, namespace, count).await?;
    rest(&plane.environment.pids()).await;
    let all = widgets.watch().await?;
    let before = Count::now(&plane.client).await?;

    let start = Instant::now();
    let mut operator = program.start(plane, &widgets.namespace)?;
    widgets.ready(all, &mut operator).await?;
    let time = start.elapsed();
    // Its own writes come back to it as changes: that is work, too.
    operator.rests().await;

    let (processor, peak) = (operator.processor_time(), operator.peak());
    eprintln!(
        "bench: {}: ready after {time:.1?}, {} s of processor time, {} KiB",
        widgets.namespace,
        shown(processor, |seconds| format!("{seconds:.2}")),
        shown(peak.map(f64::from), |kibibytes| format!("{kibibytes:.0}")),
    );
    samples.time(Measure::Time(count), time);
    if let Some(seconds) = processor {
        samples.push(Measure::Processor(count), seconds);
    }
    samples.memory(Measure::Memory(count), peak);
    let after = Count::now(&plane.client).await?;
    for about in About::ALL {
        samples.push(Measure::Requests(count, about), after.since(&before, about));
    }
    operator.check()?;
    drop(operator);
    widgets.check().await?;
    widgets.delete().await
}
