//! Which calls `generate` is measured by, and in which order.
//!
//! Each tool has one project, which grows from 1 kind to 1000. At each size the tools take turns, so that a machine that is busier now
//! than a minute ago is so for both. Both are called once before anything is measured: what is compared is what a user waits for at
//! the second edit of the day.

use std::time::Duration;

use anyhow::{Context, Result};

use super::{controller_gen, kinds::count, project::Project};
use crate::{
    call::timed, kubebuilder::Absence, memory::Meter, options::Options, samples::Samples,
    tool::Tool,
};

/// How many kinds the projects have.
pub(crate) const SIZES: [usize; 4] = [1, 10, 100, 1000];

/// From this size on a call of controller-gen takes seconds, and there are fewer of them.
const LARGE: usize = 1000;

const MEMORY_CALLS: usize = 3;

/// What is measured, at a number of kinds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Measure {
    /// After an edit of one kind.
    Edit(usize),
    /// Again, with nothing changed.
    NoChange(usize),
    /// Peak memory after an edit.
    Memory(usize),
}

/// A tool with its project and its figures.
#[derive(Debug)]
pub(crate) struct Subject {
    tool: Tool,
    /// The go command, for a Go project.
    go: Option<Tool>,
    arguments: &'static [&'static str],
    project: Project,
    pub(crate) samples: Samples<Measure>,
}

/// A whole measurement.
#[derive(Debug)]
pub(crate) struct Session<'a> {
    pub(crate) options: &'a Options,
    pub(crate) meter: Meter,
    pub(crate) kb_rs: Subject,
    pub(crate) rival: Result<Subject, Absence>,
}

impl<'a> Session<'a> {
    pub(crate) fn new(options: &'a Options, meter: Meter) -> Result<Self> {
        let rival = controller_gen::prepare()
            .and_then(|(tool, go)| Subject::controller_gen(tool, go).map_err(Absence::Failed));
        let session = Self {
            options,
            meter,
            kb_rs: Subject::kb_rs()?,
            rival,
        };
        session.tell_of_absence();
        Ok(session)
    }

    /// Makes all calls.
    pub(crate) fn run(&mut self) -> Result<()> {
        for size in SIZES {
            let kinds = count(size);
            eprintln!("bench: generate, {kinds}: making the projects");
            self.both(|subject, _| subject.grow(size))?;
            let rounds = self.rounds(size);
            for round in 1..=rounds {
                eprintln!("bench: generate, {kinds}: {round} of {rounds}");
                self.both(|subject, _| subject.times(size))?;
            }
            let rounds = rounds.min(MEMORY_CALLS);
            for round in 1..=rounds {
                eprintln!("bench: generate, {kinds}, memory: {round} of {rounds}");
                self.both(|subject, meter| subject.memory(size, meter))?;
            }
        }
        Ok(())
    }

    /// How often a size is measured.
    pub(crate) fn rounds(&self, size: usize) -> usize {
        if size < LARGE {
            self.options.runs
        } else {
            self.options.series()
        }
    }

    /// A step of both tools; where controller-gen fails, that ends its part in the comparison, and nothing else.
    fn both(&mut self, step: impl Fn(&mut Subject, &Meter) -> Result<()>) -> Result<()> {
        step(&mut self.kb_rs, &self.meter)?;
        if let Ok(subject) = &mut self.rival
            && let Err(error) = step(subject, &self.meter)
        {
            self.rival = Err(Absence::Failed(error));
            self.tell_of_absence();
        }
        Ok(())
    }

    fn tell_of_absence(&self) {
        match &self.rival {
            Ok(_) => {}
            Err(Absence::NoGo) => {
                eprintln!(
                    "bench: going on without controller-gen: there is no `go` to build it with"
                );
            }
            Err(Absence::Failed(error)) => {
                eprintln!("bench: going on without controller-gen: {error:#}");
            }
        }
    }
}

impl Subject {
    fn kb_rs() -> Result<Self> {
        let tool = Tool::kb_rs()?;
        Ok(Self {
            project: Project::rust(&tool)?,
            tool,
            go: None,
            arguments: &["generate"],
            samples: Samples::default(),
        })
    }

    fn controller_gen(tool: Tool, go: Tool) -> Result<Self> {
        Ok(Self {
            project: Project::go()?,
            tool,
            go: Some(go),
            arguments: &controller_gen::ARGUMENTS,
            samples: Samples::default(),
        })
    }

    /// Brings the project to a size, and calls the tool for the first time there.
    fn grow(&mut self, size: usize) -> Result<()> {
        if let Some(go) = &self.go {
            self.project.grow_go(go, &self.tool, size)?;
            self.call()?;
        } else {
            self.project.grow_rust(&self.tool, size)?;
            self.call_alone()?;
        }
        self.project.check_all()
    }

    fn times(&mut self, size: usize) -> Result<()> {
        self.project.edit()?;
        let edit = self.call()?;
        self.project.check_edit()?;
        let no_change = self.call()?;
        self.samples.time(Measure::Edit(size), edit);
        self.samples.time(Measure::NoChange(size), no_change);
        Ok(())
    }

    fn memory(&mut self, size: usize, meter: &Meter) -> Result<()> {
        self.project.edit()?;
        let peak = meter.peak(&self.tool, self.project.folder(), self.arguments)?;
        self.project.check_edit()?;
        self.samples.memory(Measure::Memory(size), peak);
        Ok(())
    }

    fn call(&self) -> Result<Duration> {
        timed(
            &mut self
                .tool
                .command(self.project.folder(), &[], self.arguments),
        )
    }

    /// A call that finds no cargo: what is measured is the reading of the source, and never a build.
    fn call_alone(&self) -> Result<()> {
        let folder = self.project.folder();
        let mut command = self.tool.command(folder, &[], self.arguments);
        timed(command.env("PATH", ""))
            .context("the types of the benchmark are to be read without a build")?;
        Ok(())
    }
}
