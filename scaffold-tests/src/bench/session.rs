//! Which calls are made, and in which order.
//!
//! The tools take turns, so that a machine that is busier now than a minute ago is so for both. The first and the 100th `create api`
//! are of the same project. The calls before each of them leave the disk a different amount to write, which would be measured along
//! with it: so the measured ones of the 100 begin after a `sync`, where there is that command. Every project is new and its folder is
//! removed afterwards.

use std::time::Duration;

use anyhow::{Context, Result};
use tempfile::TempDir;

use crate::{
    call::{settle, timed},
    kubebuilder::Absence,
    memory::Meter,
    options::Options,
    samples::{Measure, Samples},
    tool::{Tool, check_kind},
};

/// A tool and its figures.
#[derive(Debug)]
pub(crate) struct Subject {
    tool: Tool,
    pub(crate) samples: Samples,
}

/// Kubebuilder, or why it is not measured.
#[derive(Debug)]
pub(crate) enum Rival {
    Measured(Box<Subject>),
    Absent(Absence),
}

/// A whole measurement.
#[derive(Debug)]
pub(crate) struct Session<'a> {
    pub(crate) options: &'a Options,
    pub(crate) meter: Meter,
    pub(crate) kb_rs: Subject,
    pub(crate) rival: Rival,
}

impl Rival {
    pub(crate) fn measured(tool: Tool) -> Self {
        Self::Measured(Box::new(Subject::new(tool)))
    }

    pub(crate) fn absent(absence: Absence) -> Self {
        if let Absence::Failed(error) = &absence {
            eprintln!("bench: going on without Kubebuilder: {error:#}");
        }
        Self::Absent(absence)
    }

    /// Its figures, if it is measured.
    pub(crate) fn samples(&self) -> Option<&Samples> {
        match self {
            Self::Measured(subject) => Some(&subject.samples),
            Self::Absent(_) => None,
        }
    }

    /// Measures it; a failure ends its part in the comparison, and nothing else.
    fn try_to(&mut self, step: impl FnOnce(&mut Subject) -> Result<()>) {
        if let Self::Measured(subject) = self
            && let Err(error) = step(subject)
        {
            *self = Self::absent(Absence::Failed(error));
        }
    }
}

impl<'a> Session<'a> {
    pub(crate) fn new(options: &'a Options, meter: Meter, kb_rs: Tool, rival: Rival) -> Self {
        Self {
            options,
            meter,
            kb_rs: Subject::new(kb_rs),
            rival,
        }
    }

    /// Makes all calls.
    pub(crate) fn run(&mut self) -> Result<()> {
        // The first call of all finds nothing in the system's caches.
        self.both(|subject, _| subject.warm_up())?;
        for round in 1..=self.options.runs {
            progress("start-up, init, create api", round, self.options.runs);
            self.both(|subject, _| subject.short())?;
        }
        for round in 1..=self.options.series() {
            progress("memory", round, self.options.series());
            self.both(Subject::short_memory)?;
        }
        for round in 1..=self.options.runs {
            progress("100 times create api", round, self.options.runs);
            self.both(Subject::series)?;
        }
        Ok(())
    }

    fn both(&mut self, step: impl Fn(&mut Subject, &Meter) -> Result<()>) -> Result<()> {
        step(&mut self.kb_rs, &self.meter)?;
        self.rival.try_to(|subject| step(subject, &self.meter));
        Ok(())
    }
}

impl Subject {
    fn new(tool: Tool) -> Self {
        Self {
            tool,
            samples: Samples::default(),
        }
    }

    fn warm_up(&self) -> Result<()> {
        let project = folder()?;
        self.call(&project, &["--help"])?;
        self.call(&project, &self.tool.init())?;
        self.call(&project, &self.tool.api("AppService"))?;
        self.tool.check_project(project.path())
    }

    /// Start-up, `init` and `create api`.
    fn short(&mut self) -> Result<()> {
        let project = folder()?;
        let help = self.call(&project, &["--help"])?;
        let init = self.call(&project, &self.tool.init())?;
        let api = self.call(&project, &self.tool.api("AppService"))?;
        self.tool.check_project(project.path())?;
        self.samples.time(Measure::Help, help);
        self.samples.time(Measure::Init, init);
        self.samples.time(Measure::Api, api);
        self.samples.time(Measure::InitAndApi, init + api);
        Ok(())
    }

    /// The same calls, for their memory.
    fn short_memory(&mut self, meter: &Meter) -> Result<()> {
        let project = folder()?;
        let help = meter.peak(&self.tool, project.path(), &["--help"])?;
        let init = meter.peak(&self.tool, project.path(), &self.tool.init())?;
        let api = meter.peak(&self.tool, project.path(), &self.tool.api("AppService"))?;
        self.tool.check_project(project.path())?;
        self.samples.memory(Measure::HelpMemory, help);
        self.samples.memory(Measure::InitMemory, init);
        self.samples.memory(Measure::ApiMemory, api);
        Ok(())
    }

    /// 100 kinds in one project, and one more for the memory.
    fn series(&mut self, meter: &Meter) -> Result<()> {
        let project = folder()?;
        self.call(&project, &self.tool.init())?;
        for number in 1..=100 {
            let measures: &[Measure] = match number {
                1 => &[Measure::First, Measure::FirstTen],
                2..=10 => &[Measure::FirstTen],
                91..=99 => &[Measure::LastTen],
                100 => &[Measure::Hundredth, Measure::LastTen],
                _ => &[],
            };
            if !measures.is_empty() {
                settle();
            }
            let time = self.create(&project, number)?;
            for measure in measures {
                self.samples.time(*measure, time);
            }
        }
        let arguments = self.tool.api("Kind101");
        let late = meter.peak(&self.tool, project.path(), &arguments)?;
        self.samples.memory(Measure::LateApiMemory, late);
        check_kind(project.path(), "Kind001")?;
        check_kind(project.path(), "Kind101")
    }

    fn create(&self, project: &TempDir, number: usize) -> Result<Duration> {
        let kind = format!("Kind{number:03}");
        let time = self.call(project, &self.tool.api(&kind))?;
        check_kind(project.path(), &kind)?;
        Ok(time)
    }

    fn call(&self, project: &TempDir, arguments: &[&str]) -> Result<Duration> {
        timed(&mut self.tool.command(project.path(), &[], arguments))
    }
}

fn folder() -> Result<TempDir> {
    TempDir::new().context("cannot make a temporary folder")
}

fn progress(what: &str, round: usize, of: usize) {
    eprintln!("bench: {what}: {round} of {of}");
}
